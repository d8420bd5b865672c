package diagnose

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/graph"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/markdown"
)

// checkFiles parses every Markdown file of memory as a question would.
func (c *checkup) checkFiles(ctx context.Context) {
	k := &check{name: "files", fix: func(found []store.Trouble) error { return c.freshIDs(ctx, found) },
		advice: "Open the file at the line that is named and put it right; what is not understood is kept, and not searched."}
	k.look = func() ([]store.Trouble, error) {
		n, found, err := c.fileTroubles(ctx)
		k.fine = messages.Plural(n, "file") + " read and understood"
		return found, err
	}
	c.run(k)
	c.checkSettings(ctx)
}

// checkSettings checks the configuration of memory. It moves a misplaced key only if nobody else can have written it.
func (c *checkup) checkSettings(ctx context.Context) {
	if err := c.ws.Policy().Err; err != nil {
		c.addResult("settings", err, "", "Correct the line that is named; until then nothing is captured.")
		return
	}
	k := &check{name: "settings", fine: "config.yaml, local.yaml and the list of pauses are not there or understood",
		fix: func([]store.Trouble) error { return c.ws.MoveMisplaced(ctx) },
		advice: "Move what is yours from gitmem/config.yaml to gitmem/local.yaml beside it; " +
			"until then only what restricts is used."}
	k.look = func() (found []store.Trouble, err error) {
		foreign := false
		if len(c.ws.Policy().Misplaced) > 0 {
			foreign, err = c.s.MayBeForeign(ctx)
		}
		for _, m := range c.ws.Policy().Misplaced {
			detail := m.Key + " belongs in gitmem/local.yaml, which no other machine can change"
			if foreign {
				detail += "; this one may be of another machine, so move it yourself"
			}
			found = append(found, store.Trouble{Level: store.Warn, Path: "gitmem/config.yaml", Line: m.Line,
				Detail: detail, Fixable: !foreign})
		}
		return found, err
	}
	c.run(k)
	if capture, err := c.ws.Capture(ctx); err == nil {
		c.addOK("capture", capture.Detail)
	}
}

// fileTroubles checks all files and counts them.
func (c *checkup) fileTroubles(ctx context.Context) (n int, found []store.Trouble, err error) {
	for f, err := range c.s.Files() {
		if ctx.Err() != nil {
			return n, found, ctx.Err()
		}
		if err != nil {
			found = append(found, store.Trouble{Level: store.Warn, Path: f.Path, Detail: "can't be read: " + plain.Text(err)})
			continue
		}
		n++
		if f.Size > ingest.MaxMarkdown {
			found = append(found, store.Trouble{Level: store.Warn, Path: f.Path,
				Detail: "is larger than 32 MiB and is not searched"})
			continue
		}
		b, err := c.s.Read("", f.Path)
		switch {
		case errors.Is(err, store.ErrNotFound): // removed meanwhile
		case err != nil:
			found = append(found, store.Trouble{Level: store.Warn, Path: f.Path, Detail: "can't be read and is not searched"})
		default:
			found = append(found, fileTroubles(f.Path, b)...)
		}
	}
	return n, found, nil
}

// freshIDs gives new ids to log lines with duplicate ids, which old versions assigned when hooks ran in parallel.
func (c *checkup) freshIDs(ctx context.Context, found []store.Trouble) error {
	var errs []error
	for _, t := range found {
		if !t.Fixable {
			continue
		}
		errs = append(errs, c.s.Rewrite(ctx, t.Path, func(old []byte) (edits []store.Insertion, _ error) {
			for _, d := range cite.DuplicateIDs(old) {
				edits = append(edits, store.Insertion{At: d.Span.Start, Cut: d.Span.End - d.Span.Start,
					Text: c.ws.Redactor.Clean(d.Fresh)})
			}
			return edits, nil
		}))
	}
	return errors.Join(errs...)
}

// fileTroubles returns the problems of one file of memory. It ignores the format of files that the client or its user
// writes.
func fileTroubles(rel string, src []byte) []store.Trouble {
	var found []store.Trouble
	add := func(l store.Level, line int, detail string) {
		found = append(found, store.Trouble{Level: l, Path: rel, Line: line, Detail: detail})
	}
	ours := strings.HasPrefix(rel, "gitmem/")
	d := markdown.Parse(src)
	if ours {
		if why := formTrouble(rel, d); why != "" {
			add(store.Warn, 1, why)
		}
	}
	_, skips := cite.Units(cite.File{Path: rel, Area: cite.AreaOf(rel)}, src)
	if cite.AreaOf(rel) == cite.AreaNone {
		skips = d.Skipped
	}
	switch rel {
	case store.EntitiesFile:
		_, faults := graph.ReadNames(string(src))
		skips = append(skips, faults...)
	case store.SynonymsFile:
		_, faults := search.ReadGroups(string(src), true)
		skips = append(skips, faults...)
	}
	if len(skips) == 0 {
		return found
	}
	level := store.Note
	if ours {
		level = store.Warn
	}
	first := skips[0]
	detail := "is not understood: " + first.Reason
	if len(skips) > 1 {
		detail += fmt.Sprintf(" (and %d more in this file)", len(skips)-1)
	}
	add(level, max(first.Line, 1), detail)
	found[len(found)-1].Fixable = cite.AreaOf(rel) == cite.AreaObservations && len(cite.DuplicateIDs(src)) > 0
	return found
}

// formTrouble returns what is missing in the frontmatter of one of gitmem's files, or "". It ignores files without a
// prescribed format.
func formTrouble(rel string, d *markdown.Doc) string {
	project := path.Base(rel) == "project.md"
	if cite.AreaOf(rel) == cite.AreaNone && !project && rel != "gitmem/profile.md" {
		return ""
	}
	switch {
	case d.Front == nil || d.Front.Fields == nil:
		if project {
			return "has no frontmatter that can be read, so nothing is known of its project"
		}
		return "has no frontmatter that can be read"
	case d.Front.Fields["format"] == nil:
		return "does not say its format (format: 1)"
	case fmt.Sprint(d.Front.Fields["format"]) != "1":
		return fmt.Sprintf("has the format %v, which this version does not know", d.Front.Fields["format"])
	}
	return ""
}
