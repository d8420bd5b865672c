package gitmem_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gitmem/gitmem/gitmem"
)

// judged is a prompt with words of which the recalled text must contain one; none if nothing may be recalled.
type judged struct {
	prompt string
	words  []string
}

// readJudged reads a list of judged prompts: "- prompt" or "+ words; words | prompt".
func readJudged(t *testing.T, name string) (out []judged) {
	t.Helper()
	for line := range strings.Lines(fileText(t, name)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "", line[0] == '#':
		case line[0] == '-':
			out = append(out, judged{prompt: strings.TrimSpace(line[1:])})
		default:
			words, prompt, ok := strings.Cut(line[1:], " | ")
			if !ok {
				t.Fatalf("%s: %q", name, line)
			}
			j := judged{prompt: prompt}
			for w := range strings.SplitSeq(words, ";") {
				j.words = append(j.words, strings.TrimSpace(w))
			}
			out = append(out, j)
		}
	}
	return out
}

func fileText(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "recall", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// tidewatch creates the invented project, and its indexes.
func tidewatch(t *testing.T) (*lab, *repo) {
	t.Helper()
	l, r := recordedStore(t)
	l.search(r.dir, "level", gitmem.Filter{})
	return l, r
}

// recordedStore creates the invented project: a store, earlier sessions and a history.
func recordedStore(t *testing.T) (*lab, *repo) {
	t.Helper()
	l, r := recorded(t, "tidewatch", ".")
	for _, f := range txtar.Parse([]byte(fileText(t, "store.txtar"))).Files {
		l.write(filepath.Join(l.root, filepath.FromSlash(strings.ReplaceAll(f.Name, "MUNGED", munge(r.dir)))), string(f.Data))
	}
	return l, r
}

// recorded creates a project with the history and the sessions of a folder.
func recorded(t *testing.T, name, folder string) (*lab, *repo) {
	t.Helper()
	l := newLab(t)
	r := l.repo(name)
	r.git("remote", "add", "origin", "https://github.com/acme/"+name+".git")
	for line := range strings.Lines(fileText(t, folder+"/history.txt")) {
		if line[0] == '#' {
			continue
		}
		head, body, _ := strings.Cut(strings.TrimSpace(line), " | ")
		part := strings.SplitN(head, " ", 3)
		r.commit(part[0], "Ada Example", part[1], strings.TrimSpace(part[2]+"\n\n"+body))
	}
	session, day, turns := "", "", []turn(nil)
	flush := func() {
		if session != "" {
			l.transcriptFile(r.dir, session, turns...)
		}
		turns = nil
	}
	for line := range strings.Lines(fileText(t, folder+"/sessions.txt")) {
		sign, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch sign {
		case "=":
			flush()
			session, day, _ = strings.Cut(rest, " ")
		case "u", "a":
			role := map[string]string{"u": "user", "a": "assistant"}[sign]
			turns = append(turns, turn{role: role, text: rest, at: fmt.Sprintf("%sT10:%02d:00Z", day, len(turns))})
		}
	}
	flush()
	return l, r
}

// recall asks as a hook would, in a separate session.
func (l *lab) recall(dir, session, prompt string) (got gitmem.Recalled) {
	l.t.Helper()
	l.with(dir, func(m *gitmem.Memory) (err error) {
		got, err = m.Sessions().Recall(l.t.Context(), gitmem.RecallOptions{Session: session, Prompt: prompt})
		return errors.Join(err, m.Sessions().MarkRecalled(session, got))
	})
	return got
}

// quality measures how well relevant text, and nothing else, is recalled for prompts.
type quality struct {
	items, right    int // recalled passages, and the relevant ones among them
	wanted, told    int // prompts with something relevant, and those with a relevant recall
	unwanted, quiet int // prompts without anything relevant, and those without a recall
}

func (q quality) precision() float64 { return float64(q.right) / float64(max(q.items, 1)) }
func (q quality) recall() float64    { return float64(q.told) / float64(max(q.wanted, 1)) }
func (q quality) silence() float64   { return float64(q.quiet) / float64(max(q.unwanted, 1)) }

func (q quality) String() string {
	return fmt.Sprintf("precision %.3f (%d of %d passages), silence %.3f (%d of %d prompts), recall %.3f (%d of %d "+
		"prompts)",
		q.precision(), q.right, q.items, q.silence(), q.quiet, q.unwanted, q.recall(), q.told, q.wanted)
}

func measure(t *testing.T, l *lab, dir string, prompts []judged) (q quality) {
	t.Helper()
	for _, j := range prompts {
		got := l.recall(dir, "", j.prompt)
		hit := 0
		for _, c := range got.Items {
			said := strings.ToLower(c.Title + " " + c.Excerpt + " " + c.Session)
			ok := false
			for _, w := range j.words {
				ok = ok || strings.Contains(said, strings.ToLower(w))
			}
			if ok {
				hit++
			} else {
				t.Logf("wrong: %q is told %s %q", j.prompt, c.ID, c.Title+": "+c.Excerpt)
			}
		}
		q.items, q.right = q.items+len(got.Items), q.right+hit
		switch {
		case len(j.words) == 0:
			q.unwanted++
			if len(got.Items) == 0 {
				q.quiet++
			}
		default:
			q.wanted++
			if hit > 0 {
				q.told++
			} else {
				t.Logf("missed: %q", j.prompt)
			}
		}
	}
	return q
}

// Most recalled text is relevant, and for most prompts without related records nothing is recalled. The first list was
// written before the limits were set, the second after, and was not used to set them.
func TestRecallQuality(t *testing.T) {
	t.Parallel()
	l, r := tidewatch(t)
	l.search(r.dir, "level", gitmem.Filter{}) // builds the indexes
	for _, name := range []string{"prompts.txt", "heldout.txt"} {
		q := measure(t, l, r.dir, readJudged(t, name))
		t.Logf("%s: %v", name, q)
		if q.precision() < 0.8 || q.silence() < 0.9 {
			t.Errorf("%s: %v, want a precision of 0.8 and a silence of 0.9", name, q)
		}
	}
}

// For prompts to a coding agent with earlier sessions on many subjects the right one is recalled, also if the prompt
// continues with something else.
func TestRecallOfSessions(t *testing.T) {
	t.Parallel()
	l, r := recorded(t, "parcels", "parcels")
	l.search(r.dir, "label", gitmem.Filter{}) // builds the indexes
	prompts := readJudged(t, "parcels/prompts.txt")
	var two []judged
	for i, j := range prompts {
		other := prompts[len(prompts)-1-i%20] // one of those without anything relevant
		two = append(two, judged{strings.TrimSuffix(j.prompt, ".") + ". " + other.prompt, j.words})
	}
	for _, list := range [][]judged{prompts, two} {
		if q := measure(t, l, r.dir, list); q.recall() < 0.8 || q.silence() < 0.95 {
			t.Errorf("%v, want a recall of 0.8 and a silence of 0.95", q)
		}
	}
}
