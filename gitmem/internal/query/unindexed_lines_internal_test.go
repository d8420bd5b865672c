package query

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// olderSession returns a reader of an archive of transcripts of which only the newest is indexed, with an older session
// of the given lines: each a role, the number of the previous record, and a text.
func olderSession(t *testing.T, config string, lines ...[3]string) *Reader {
	t.Helper()
	m := seer(t, time.Now())
	for i := range 3 {
		aged(t, m, i, time.Minute)
	}
	const id = "5bc6e072-da76-4824-88b8-00000000beef"
	var b strings.Builder
	for i, l := range lines {
		fmt.Fprintf(&b,
			`{"type":%q,"uuid":"w%d","parentUuid":%s,"sessionId":%q,"timestamp":"2025-03-08T14:%02d:00Z",`+
				`"cwd":"/home/dev/crane",`+
				`"promptSource":"typed","message":{"role":%q,"content":%q}}`+"\n", l[0], i+1, l[1], id, i, l[0], l[2])
	}
	file := filepath.Join(m.ws.ClientDir, "projects", "-home-dev-crane", id+".jsonl")
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(file, b.String()+strings.Repeat(" \n", 1000))
	when := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(file, when, when); err != nil {
		t.Fatal(err)
	}
	write(m.ws.LocalFile(), config)
	m.src.Budget.Transcripts = 300
	return m
}

// foundIn returns the ids and texts of hits.
func foundIn(t *testing.T, m *Reader, text string, f Filter) (ids []string, said string) {
	t.Helper()
	m.ws.Caveats, m.ws.Incomplete = nil, nil
	r, err := m.Search(t.Context(), text, f)
	if err != nil {
		t.Fatal(err)
	}
	if r.Complete || !strings.Contains(strings.Join(r.Caveats, "\n"), "not indexed yet were read through") {
		t.Errorf("%q: complete %v, caveats %q", text, r.Complete, r.Caveats)
	}
	for _, h := range r.Hits {
		if strings.HasPrefix(h.ID, "transcript:5bc6e072-da76-4824-88b8-00000000beef:") {
			_, line, _ := strings.Cut(strings.TrimPrefix(h.ID, "transcript:"), ":")
			ids, said = append(ids, line), said+h.Body+"\n"
		}
	}
	slices.Sort(ids)
	return ids, said
}

var craneTalk = [...][3]string{
	{"user", "null", "Why does the gantry squeal?"},
	{"assistant", `"w1"`,
		"The gantry squeals because its sheave is dry. The token is ghp_0123456789abcdefghijABCDEFGHIJ012345."},
	{"user", `"w2"`, "Replace the gantry by a derrick"},
	{"user", `"w2"`, "Grease the gantry instead"},
}

// Text of an old session is found before it is indexed, with its context, and without secrets; taken back messages are
// marked.
func TestUnindexedTranscripts(t *testing.T) {
	t.Parallel()
	m := olderSession(t, "", craneTalk[:]...)
	ids, said := foundIn(t, m, "gantry squeal sheave", Filter{Project: "all"})
	if !slices.Contains(ids, "2") || strings.Contains(said, "0123456789abcdef") ||
		!strings.Contains(said, "because its sheave is dry") {
		t.Errorf("%q:\n%s", ids, said)
	}
	view, end, err := m.start(t.Context(), "", search.ParseQuery("derrick"), Filter{Project: "all"},
		search.ExpandMinimal, new(bool))
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	q := view.read.query
	q.Text = "derrick"
	res, err := view.Find(t.Context(), q)
	if err != nil || len(res.Hits) == 0 || res.Hits[0].Doc.Role != cite.StateTakenBack {
		t.Errorf("%+v, %v", res.Hits, err)
	}
	if ids, said := foundIn(t, m, "0123456789abcdefghijABCDEFGHIJ012345", Filter{Project: "all"}); strings.Contains(said,
		"0123456789abcdef") || len(ids) > 0 {
		t.Errorf("a secret finds %q:\n%s", ids, said)
	}
}

// What must not be shown of an indexed transcript is not shown of an unindexed one either: those of another project, an
// excluded one, one written while capture was paused, of another time, and the asking session.
func TestUnindexedTranscriptsWithheld(t *testing.T) {
	t.Parallel()
	all := Filter{Project: "all"}
	tests := map[string]struct {
		config string
		filter Filter
		pause  string
	}{
		"of another project": {filter: Filter{Project: "/home/dev"}},
		"excluded":           {config: "exclude: ['/home/dev/crane']\n", filter: all},
		"paused": {filter: all,
			pause: `{"pauses": [{"folder": "", "since": "2025-03-08T13:00:00Z", "until": "2025-03-08T15:00:00Z"}]}`},
		"of another time":    {filter: Filter{Project: "all", Since: "2025-03-09"}},
		"the session itself": {filter: Filter{Project: "all", Except: "5bc6e072-da76-4824-88b8-00000000beef"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := olderSession(t, tt.config, craneTalk[:]...)
			if tt.pause != "" {
				if err := os.WriteFile(filepath.Join(m.ws.Root, "gitmem", ".paused"), []byte(tt.pause), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if ids, said := foundIn(t, m, "gantry squeal sheave", tt.filter); len(ids) > 0 {
				t.Errorf("%q:\n%s", ids, said)
			}
		})
	}
}
