package search

import (
	"context"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// weightNamed ranks hits that the query names by id above all hits of its words.
const weightNamed = 4

// Named returns the leg that looks up the ids in a query: commits by their hash or its prefix, sessions and citations
// by their ids. ok is false for a query without ids. No field indexes ids as words, so it scans the table of documents.
func Named(snaps []*index.Snapshot, q Query) (Leg, bool) {
	ids := q.Features.ids
	return Leg{Name: "named", Weight: weightNamed * wordsWeight(q),
		Find: func(ctx context.Context, q Query) (Result, error) {
			hits, err := EachShard(snaps, func(i int) ([]Hit, error) { return named(ctx, snaps[i], q, ids) })
			slices.SortStableFunc(hits, func(a, b Hit) int { return strings.Compare(a.Doc.ID, b.Doc.ID) })
			return Result{Hits: hits}, err
		}}, len(ids) > 0
}

// manyNamed limits the documents of one id in a shard: all documents of a session have its id, of which the first are
// returned.
const manyNamed = 20

func named(ctx context.Context, snap *index.Snapshot, q Query, ids []string) ([]Hit, error) {
	f, err := NewFilter(ctx, q, snap)
	if err != nil {
		return nil, err
	}
	var hits []Hit
	may := maybeNamed(snap, ids)
	for i := range snap.Rows() {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !may(i) || snap.Dead(i) {
			continue
		}
		row := snap.Row(i)
		if slices.ContainsFunc(ids, func(id string) bool { return names(id, row) }) && f.Pass(int32(i)) {
			hits = append(hits, Hit{Row: i, Doc: row, Exact: true, Rules: []string{"named by its id"}})
			if len(hits) == manyNamed {
				break
			}
		}
	}
	return hits, nil
}

// maybeNamed is a cheap filter: it tests a row by its session and by the prefix of its id,
// which many rows share. Decoding all rows takes a hundred times as long.
func maybeNamed(snap *index.Snapshot, ids []string) func(i int) bool {
	inSession := memo(func(session int32) bool { return startsWith(snap.SessionName(session), ids) })
	inID := memo(func(prefix uint32) bool {
		begin := strings.ToLower(snap.String(prefix))
		hash := strings.TrimPrefix(begin, "git:commit:")
		return startsWith(begin, ids) || startsWith(hash, ids) ||
			slices.ContainsFunc(ids, func(id string) bool { return strings.HasPrefix(id, begin) || strings.HasPrefix(id, hash) })
	})
	return func(i int) bool { return inSession(snap.SessionOf(i)) || inID(snap.IDPrefixOf(i)) }
}

// startsWith reports whether a text begins with any of the ids.
func startsWith(text string, ids []string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(ids, func(id string) bool { return strings.HasPrefix(text, id) })
}

// names reports whether an id is that of a document, or a prefix of the hash of its commit or of its session.
func names(id string, row index.Row) bool {
	have := strings.ToLower(row.ID)
	if strings.HasPrefix(have, id) {
		rest := have[len(id):]
		if rest == "" || rest[0] == 0 {
			return true
		}
	}
	return strings.HasPrefix(strings.TrimPrefix(have, "git:commit:"), id) ||
		strings.HasPrefix(strings.ToLower(row.Session), id)
}

// isHash reports whether a word is a commit's hash, full or abbreviated, or a session's id, whose first eight digits
// are followed by a hyphen.
func isHash(word string) bool {
	if strings.Trim(word, "0123456789abcdef-") != "" {
		return false
	}
	switch n, hyphen := len(word), strings.IndexByte(word, '-'); hyphen {
	case -1:
		return 7 <= n && n <= 40
	case 8:
		return 13 <= n && n <= 36
	}
	return false
}

// isID reports whether a word is the id of a commit or session, full or at least seven digits, or a citation id. A
// number or a word of the letters a to f is not an id.
func isID(word string) bool {
	if !isHash(word) {
		kind, rest, ok := strings.Cut(word, ":")
		return ok && rest != "" && slices.Contains([]string{"transcript", "session", "idea", "decision", "task", "memory",
			"rules", "observation", "git"}, kind)
	}
	return strings.ContainsAny(word, "0123456789") && strings.ContainsAny(word, "abcdef")
}
