package search_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// legged searches one shard with the legs that apply, and rereads the titles and texts of the hits.
func legged(t *testing.T, docs []index.Doc, said map[string]search.SourceText, query string,
	more ...search.Leg) []search.Read {
	t.Helper()
	snaps := []*index.Snapshot{build(t, docs)}
	q := search.Query{Text: query, Features: search.ReadFeatures(query, day("2026-11-20")),
		Terms: search.PlainTerms(index.QueryTerms(query))}
	legs := []search.Leg{search.Direct(snaps)}
	if leg, ok := search.Named(snaps, q); ok {
		legs = append(legs, leg)
	}
	return fused(t, q, append(legs, more...), said)
}

// fused searches by legs and rereads the sources of the hits.
func fused(t *testing.T, q search.Query, legs []search.Leg, said map[string]search.SourceText) []search.Read {
	t.Helper()
	res, _, err := search.RunLegs(t.Context(), q, legs, time.Minute, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	var reads []search.Read
	for i, h := range res.Hits {
		reads = append(reads, search.Read{Hit: h, Source: said[h.Doc.ID], N: i})
	}
	q.Features.Reread(reads)
	return search.WithoutRepeats(reads)
}

// Two documents whose words rank them in the opposite order, or equally with the wrong one first by id.
func TestRulesOrderWhatWordsCannot(t *testing.T) {
	t.Parallel()
	at := func(date string, d index.Doc) index.Doc { d.Time = day(date); return d }
	in := func(layer, role, kind string, d index.Doc) index.Doc {
		d.Layer, d.Role, d.Type = layer, role, kind
		return d
	}
	paths := func(d index.Doc, p ...string) index.Doc { d.Paths = p; return d }
	plain := func(id, text string) index.Doc { return doc(id, "", text) }
	for _, c := range []struct {
		name, query string
		a, b        index.Doc
		said        map[string]search.SourceText
	}{
		{"a decision before a turn", "relay ampere", in("transcripts", "user", "discussion",
			plain("a", "the relay draws ten ampere")),
			in("memory", "decision", "decision", plain("b", "the relay draws ten ampere")), nil},
		{"a turn before a tool's result", "relay ampere", in("transcripts", "user", "result",
			plain("a", "the relay draws ten ampere")),
			in("transcripts", "user", "discussion", plain("b", "the relay draws ten ampere")), nil},
		{"a ticket", "what about #123", plain("a", "about 123 and 123 and 123"),
			plain("b", "about the long story of the pump that was in the end told in #123"), nil},
		{"a whole identifier", "where is parseHeader", plain("a", "parse header, header parse"),
			plain("b", "that was long ago when parseHeader was not yet written as it is today"), nil},
		{"its definition", "where is parseHeader", plain("a", "parseHeader is called"), plain("b", "parseHeader is called"),
			map[string]search.SourceText{"b": {Text: "func (r *Reader) parseHeader() {"}}},
		{"a file", "why is cmd/root.go slow", paths(plain("a", "root.go in cmd is slow"), "root.txt"),
			paths(plain("b", "it is slow since then, as was found"), "cmd/root.go"), nil},
		{"what is new, where asked", "latest relay work", at("2023-01-01", plain("a", "relay work")),
			at("2026-11-18", plain("b", "relay work")), nil},
		{"a heading", "relay wiring", plain("a", "relay wiring"), plain("b", "relay wiring"),
			map[string]search.SourceText{"b": {Title: "Relay wiring"}}},
		{"a sure idea", "relay wiring", in("summaries", "idea decision", "decision", plain("a", "relay wiring")),
			in("summaries", "idea decision", "decision", plain("b", "relay wiring")),
			map[string]search.SourceText{"a": {Confidence: 0.6}, "b": {Confidence: 0.9}}},
		{"a commit by its hash", "what did 0a1b2c3d do", plain("a", "0a1b2c3d was reverted"),
			plain("git:commit:0a1b2c3d4e5f60718293a4b5c6d7e8f901234567", "unlike words"), nil},
	} {
		got := legged(t, []index.Doc{c.a, c.b}, c.said, c.query)
		if len(got) < 2 || got[0].Hit.Doc.ID != c.b.ID || len(got[0].Hit.Rules)+len(got[1].Hit.Rules) == 0 {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func TestWithoutAReasonRulesSayNothing(t *testing.T) {
	t.Parallel()
	d := doc("a", "", "the relay was recently parsed and/or tested 1234567 times, e.g. by Ada")
	d.Layer, d.Time = "transcripts", day("2020-01-01")
	for _, query := range []string{"relay tested", "e.g. relay", "and/or", "1234567", "Ada's relay"} {
		got := legged(t, []index.Doc{d}, nil, query)
		if len(got) != 1 || got[0].Hit.Fused != got[0].Hit.Score || len(got[0].Hit.Rules) > 0 || got[0].Hit.Exact {
			t.Errorf("%q: %+v", query, got)
		}
	}
}

// A hit that the query names is not outranked by one that only a vector search found.
func TestGuessesStayBehindWhatIsNamed(t *testing.T) {
	t.Parallel()
	docs := []index.Doc{doc("named", "", "parseHeader"), doc("near", "", "nothing of the kind"), doc("weak", "", "where")}
	guess := search.Leg{Name: "semantic", Weight: 50, Guess: true,
		Find: func(context.Context, search.Query) (search.Result, error) {
			return search.Result{Hits: []search.Hit{{Row: 1, Doc: index.Row{ID: "near"}}}}, nil
		}}
	order := func(query string) (out []string) {
		for _, r := range legged(t, docs, nil, query, guess) {
			out = append(out, r.Hit.Doc.ID)
		}
		return out
	}
	if diff := cmp.Diff([]string{"named", "near"}, order("parseHeader")); diff != "" {
		t.Errorf("a symbol (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"near", "named"}, order("parse")); diff != "" {
		t.Errorf("a word (-want +got):\n%s", diff)
	}
}

func TestTheSameFactOnce(t *testing.T) {
	t.Parallel()
	d := func(id, layer, role string, order int64) index.Doc {
		return index.Doc{ID: id, Source: id, Layer: layer, Role: role, Session: "3f2a91c4-0000-4000-8000-000000000000",
			Order: order, Text: "relay"}
	}
	docs := []index.Doc{
		d("turn 124", "transcripts", "assistant", 124), d("turn 125", "transcripts", "assistant", 125),
		d("idea", "summaries", "idea decision", 7), d("section", "summaries", "session", 3),
		d("log", "transcripts", "observation", 1),
	}
	got := map[string]bool{}
	for _, r := range legged(t, docs, map[string]search.SourceText{"idea": {Turn: 124}}, "relay") {
		got[r.Hit.Doc.ID] = true
	}
	if diff := cmp.Diff(map[string]bool{"idea": true, "section": true, "turn 125": true}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Text that the archive did not adopt has no other copy.
	docs[0].Text, docs[4].Text = "relay coil", "relay contact"
	for query, id := range map[string]string{"relay coil": "turn 124", "relay contact": "log"} {
		if hits := legged(t, docs, map[string]search.SourceText{"idea": {Turn: 124}}, query); !slices.ContainsFunc(hits,
			func(r search.Read) bool {
				return r.Hit.Doc.ID == id
			}) {
			t.Errorf("%q does not find %q", query, id)
		}
	}
}
