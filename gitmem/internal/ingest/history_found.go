package ingest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/deadline"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/git"
)

const (
	// mostFound is the number of unindexed commits that are indexed for a question, and mostWords the number of its words
	// that are searched.
	mostFound, mostWords = 200, 16
	// messagesTime limits how long messages are read for a question.
	messagesTime = 5 * time.Second
	// titleWeight is the weight of a word in the first line of a message.
	titleWeight = 1.5
)

// messageSearch searches the messages of a history for words, in a goroutine.
type messageSearch struct {
	stems  []string
	found  []foundCommit // newest first
	counts [mostWords]int
	all    int // number of searched commits
	err    error
	done   chan struct{} // closed when the goroutine ends
}

// foundCommit is a commit with the indexes of the stems in its message, as bits; those in the first line are shifted by
// mostWords.
type foundCommit struct {
	id   string
	held uint32
}

// LookThrough starts a search of the messages of a workspace's history for the words of a question, if the history is
// not completely indexed. [Sources.AddWaiting] uses the results.
func (src *Sources) LookThrough(ctx context.Context, p *workspace.Place, words string) {
	stems := stemsOf(words)
	if !p.InRepo || src.ws.Frozen != nil || src.looked != nil || len(stems) == 0 {
		return
	}
	marks := src.historyShard(ctx, p, nil).Index.Marks()
	if _, pending := marks[BareKey]; marks != nil && !pending {
		return
	}
	m := &messageSearch{stems: stems, done: make(chan struct{})}
	src.looked = m
	src.running.Go(func() {
		defer close(m.done)
		repo, err := src.ws.OpenRepository(p)
		if err != nil {
			m.err = err
			return
		}
		m.err = errors.Join(m.run(ctx, repo, src.ws.Options.Now), repo.Close())
	})
}

// run reads messages until the time is over.
func (m *messageSearch) run(ctx context.Context, repo *git.Repository, now func() time.Time) error {
	within, cancel := deadline.After(ctx, now, messagesTime)
	defer cancel()
	var lower []byte
	err := git.NewSource(repo).Messages(within, func(id string, _ int64, message string) {
		m.all++
		lower = appendLower(lower[:0], message)
		held := m.held(lower)
		for i := range m.stems {
			m.counts[i] += int(held >> i & 1)
		}
		if held != 0 {
			m.found = append(m.found, foundCommit{id, held})
		}
	})
	if within.Err() != nil {
		return ctx.Err()
	}
	return err
}

// best returns the ids of the unindexed commits that contain the most and the rarest words, the newest among equals.
func (m *messageSearch) best(indexed *index.Snapshot) []string {
	score := func(c foundCommit) (sum float64) {
		for i := range m.stems {
			idf := math.Log(1 + float64(m.all)/float64(max(m.counts[i], 1)))
			switch c.held >> i & (1 | 1<<mostWords) {
			case 1:
				sum += idf
			case 1 | 1<<mostWords:
				sum += titleWeight * idf
			}
		}
		return sum
	}
	list := slices.DeleteFunc(slices.Clone(m.found), func(c foundCommit) bool {
		_, is := indexed.Find(c.id)
		return is
	})
	slices.SortStableFunc(list, func(a, b foundCommit) int { return cmp.Compare(score(b), score(a)) })
	list = list[:min(len(list), mostFound)]
	return slice.Map(list, func(c foundCommit) string { return c.id })
}

// AddWaiting adds an index of the unindexed commits found by [Sources.LookThrough] to the opened indexes. It is stored
// among the indexes of past states, for a repeated question.
func (src *Sources) AddWaiting(ctx context.Context, p *workspace.Place, o *Opened, words string) {
	i := slices.IndexFunc(o.Shards, func(s Shard) bool { return s.History != nil })
	if i < 0 || o.Snaps[i] == nil {
		return
	}
	if _, pending := o.Snaps[i].Mark(BareKey); !pending {
		return
	}
	if src.LookThrough(ctx, p, words); src.looked == nil {
		return
	}
	state := store.ShortHash(o.Shards[i].Index.Dir() + "\x00" + o.Shards[i].Index.Generation() + "\x00" +
		strings.Join(src.looked.stems, " "))
	s := src.frozenShard("found", state, o.Shards[i].History.foundPlan(ctx, src.looked, o.Snaps[i]))
	s.Name = o.Shards[i].Name
	snap, err := src.snapshot(ctx, s)
	if err != nil {
		return // a caveat reports that older commits are not indexed
	}
	src.ws.Caveat("Of the older ones, the %s whose messages hold most of the question were searched.",
		messages.Plural(snap.Live(), "commit"))
	o.Shards, o.Snaps = append(o.Shards, s), append(o.Snaps, snap)
	src.keepFrozen(ctx, []Shard{s})
}

// foundPlan indexes the found commits, unless the question was asked before.
func (f *historySource) foundPlan(ctx context.Context, m *messageSearch, indexed *index.Snapshot) Planner {
	return func(_ map[string]index.Mark, st index.State) (index.Update, error) {
		if st == index.Current {
			return index.Update{}, nil
		}
		<-m.done
		if m.err != nil {
			return index.Update{}, fmt.Errorf("look through messages: %w", m.err)
		}
		return index.Update{Docs: func(yield func(index.Doc, error) bool) {
			_, err := git.NewSource(f.repo).Items(ctx, m.best(indexed), func(it providers.Item) error {
				return f.give(it, false, yield)
			})
			if err != nil && !errors.Is(err, errStopped) {
				yield(index.Doc{}, err)
			}
		}}, nil
	}
}

// held returns the bits of the stems in a lowercase message.
func (m *messageSearch) held(message []byte) (bits uint32) {
	title := bytes.IndexByte(message, '\n')
	if title < 0 {
		title = len(message)
	}
	for i, stem := range m.stems {
		switch at := wordBegins(message, stem); {
		case at >= title:
			bits |= 1 << i
		case at >= 0:
			bits |= (1 | 1<<mostWords) << i
		}
	}
	return bits
}

// wordBegins returns the index of the first word that begins with a stem, or -1.
func wordBegins(text []byte, stem string) int {
	for from := 0; ; {
		at := bytes.Index(text[from:], []byte(stem))
		if at < 0 {
			return -1
		}
		if at += from; at == 0 || !isLetterOrDigit(text[at-1]) {
			return at
		}
		from = at + 1
	}
}

func isLetterOrDigit(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b >= 0x80
}

// appendLower appends a text with its ASCII letters in lower case.
func appendLower(b []byte, text string) []byte {
	n := len(b)
	b = append(b, text...)
	for i, c := range b[n:] {
		if c >= 'A' && c <= 'Z' {
			b[n+i] = c + 'a' - 'A'
		}
	}
	return b
}

// stemsOf returns the prefixes of a question's words that are common to their other forms.
func stemsOf(words string) (out []string) {
	words = strings.ToLower(words)
	wanted := index.QueryTerms(words)
	for _, t := range index.Words(words) {
		if !slices.Contains(wanted, t.Term) || len(out) == mostWords {
			continue
		}
		word := words[t.Start:t.End]
		n := 0
		for n < min(len(word), len(t.Term)) && word[n] == t.Term[n] {
			n++
		}
		if n < 3 {
			n = len(word)
		}
		if !slices.Contains(out, word[:n]) {
			out = append(out, word[:n])
		}
	}
	return out
}
