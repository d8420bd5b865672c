package gitmem_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/gitmem/internal/redact/redacttest"
	"github.com/gitmem/gitmem/providers"
)

// plantedForms returns the secrets of a set of forms, with those for paths separate.
func plantedForms(t *testing.T, set string, n int) (texts, paths []redacttest.Secret) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "cmd", "bench", "testdata", "secret-forms-"+set+".jsonl"))
	must(t, err)
	defer f.Close()
	forms, err := redacttest.ReadForms(f)
	must(t, err)
	for i, form := range forms {
		all := form.Plant(uint64(i), n)
		if form.Carrier == "path" {
			paths = append(paths, all...)
		} else {
			texts = append(texts, all...)
		}
	}
	return texts, paths
}

// TestFormsThroughEveryCarrier plants forms by other authors in notes, hooks, transcripts, frontmatter, names of
// folders and branches, commits and their trailers, and a forge, and searches every byte that is kept, indexed or
// shown. One in a hundred of the secrets may be found; each form that is found is named.
func TestFormsThroughEveryCarrier(t *testing.T) {
	t.Parallel()
	if !isNightly() {
		t.Skip("SKIPPED: .ci/nightly runs it, or GITMEM_NIGHTLY=1")
	}
	for set, limit := range map[string]int{"open": 521, "sealed": 827} { // the measured values
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			texts, paths := plantedForms(t, set, 20)
			o := &orchard{lab: newLab(t), secrets: texts}
			for _, p := range paths {
				o.names = append(o.names, p.Text)
			}
			o.repo = o.lab.repo("orchard")
			o.frontmatter()
			o.trailers()
			o.plant()
			found := o.everywhere(append(texts, paths...))
			maps.Copy(found, forgeLeaks(t, texts))
			count := map[string]int{}
			for s := range found {
				count[s.Kind]++
			}
			for _, kind := range slices.Sorted(maps.Keys(count)) {
				t.Logf("%s: %d of 20 are found", kind, count[kind])
			}
			all := len(texts) + len(paths)
			if t.Logf("%d of %d are found", len(found), all); len(found) > limit {
				t.Errorf("%d of %d are found, more than the %d of before", len(found), all, limit)
			}
		})
	}
}

// frontmatter puts each text into a value of a memory file's frontmatter.
func (o *orchard) frontmatter() {
	o.t.Helper()
	memory := filepath.Join(o.root, "projects", munge(o.repo.dir), "memory")
	for i, s := range o.secrets {
		head, err := json.Marshal(s.Text) // a quoted scalar of YAML, too
		if err != nil {
			o.t.Fatal(err)
		}
		if i%20 == 0 {
			o.write(filepath.Join(memory, fmt.Sprintf("head-%d.md", i)),
				fmt.Sprintf("---\ndescription: %s\n---\n\n# Gate\n\nIt squeaks.\n", head))
		}
	}
}

// trailers puts each text of one line into a trailer, since trailers have no line breaks.
func (o *orchard) trailers() {
	o.t.Helper()
	for i := 0; i < len(o.secrets); i += 20 {
		if strings.Contains(o.secrets[i].Text, "\n") {
			continue
		}
		o.git(o.repo.dir, identity("Ada Example", "2024-01-03T10:00:00Z"), "commit", "--quiet", "--allow-empty", "--message",
			"Oil gate "+fmt.Sprint(i)+"\n\nIt squeaked.\n\nNote: "+o.secrets[i].Text+
				"\nSigned-off-by: Ada Example <a@example.org>")
	}
}

// everywhere asks for the planted texts, and searches for secrets in the results, in each file of memory, its history,
// its index and the user's cache.
func (o *orchard) everywhere(secrets []redacttest.Secret) map[redacttest.Secret]bool {
	o.t.Helper()
	var shown strings.Builder
	for _, q := range []string{"open the orchard gate", "who worked on gates?", "why did we open gate batch?",
		"what was I doing?", "what did we do in January 2024?", "oil gate"} {
		for _, layer := range []string{"", "rules", "memory", "summaries", "transcripts", "team"} {
			a, r := o.ask(o.repo.dir, q, gitmem.Filter{Layer: layer, Limit: 30}),
				o.search(o.repo.dir, q, gitmem.Filter{Layer: layer, Limit: 200})
			shown.WriteString(asJSON(o.t, a) + strings.Join(a.Trail, "\n") + asJSON(o.t, r))
		}
	}
	kept := []string{strings.ReplaceAll(shown.String(), `\n`, "\n"), strings.Join(o.warned, "\n"),
		o.git(o.root, nil, "log", "-p", "--all", "--format=fuller"), o.git(o.root, nil, "cat-file", "--batch-all-objects",
			"--batch"), o.git(o.root, nil, "ls-files", "-z")}
	for _, dir := range []string{filepath.Join(o.root, "gitmem"), o.cache} {
		for name, text := range filesBelow(o.t, dir) {
			kept = append(kept, name+"\n"+text)
		}
	}
	return leaked(secrets, kept...)
}

// forgeLeaks puts the texts into pull requests, and searches what is kept of them.
func forgeLeaks(t *testing.T, secrets []redacttest.Secret) map[redacttest.Secret]bool {
	t.Helper()
	items := make([]providers.Item, len(secrets))
	for i, s := range secrets {
		title, _, _ := strings.Cut(s.Text, "\n")
		items[i] = pr(i+1, "Oil the gate: "+title, "The gate squeaked.\n\n"+s.Text)
	}
	l, r, f := forged(t, items...)
	kept := []string{fmt.Sprintf("%+v", f.asked(l, r.dir, "why did we oil the gate?", nil))}
	for _, dir := range []string{l.root, l.cache} {
		for name, text := range filesBelow(t, dir) {
			kept = append(kept, name+"\n"+text)
		}
	}
	return leaked(secrets, kept...)
}

func leaked(secrets []redacttest.Secret, kept ...string) map[redacttest.Secret]bool {
	out := map[redacttest.Secret]bool{}
	for _, text := range kept {
		for _, s := range secrets {
			if !out[s] && strings.Contains(text, s.Value) {
				out[s] = true
			}
		}
	}
	return out
}
