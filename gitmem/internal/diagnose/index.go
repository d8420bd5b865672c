package diagnose

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/embed"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// checkIndexes looks at each index that serves this place.
func (c *checkup) checkIndexes(p *workspace.Place) {
	shards, err := c.m.src.Shards(c.ctx, p)
	if err != nil {
		c.addResult("repository", err, "", "Check the repository with git fsck.")
		return
	}
	if u := p.Untrusted; u != nil {
		c.add(Finding{Check: "repository", State: FindingWarn, Detail: u.Error(), Advice: "Its history and its project's memory are left alone; " + p.Allowing()})
	}
	if p.InRepo {
		c.addOK("repository", p.Loc.GitDir)
	}
	for _, s := range shards {
		if c.ctx.Err() == nil {
			c.checkIndex(s)
		}
	}
}

// checkIndex verifies one index and compares it with its sources; with Fix one that
// is not as it should be is built anew.
func (c *checkup) checkIndex(s ingest.Shard) {
	f := c.indexFinding(s)
	if f.State != FindingOK && c.o.Fix && f.Fixable {
		was := f.Detail
		err := s.Rebuild(c.ctx)
		if f = c.indexFinding(s); err != nil {
			f.State, f.Detail = FindingFail, was+"; could not be built anew: "+plain.Text(err)
		} else if f.State == FindingOK {
			f.Fixed, f.Detail = true, "built anew: "+was
		}
	}
	c.add(f)
}

func (c *checkup) indexFinding(s ingest.Shard) Finding {
	f := Finding{Check: s.Name + " index", State: FindingFail, Fixable: true, Advice: "Run: gitmem doctor --fix, or gitmem index rebuild."}
	state, err := s.Index.State()
	switch {
	case err != nil:
		f.Detail, f.Fixable = plain.Text(err), false
		return f
	case state == index.Missing:
		return Finding{Check: f.Check, State: FindingOK, Detail: "not built yet: the next question builds it"}
	case state != index.Current:
		f.Detail = fmt.Sprintf("state is %s; the next question rebuilds it", state)
		if state != index.Corrupt { // another version of gitmem built it
			f.State = FindingWarn
		}
		return f
	}
	if err := s.Index.Verify(); err != nil {
		f.Detail = plain.Text(err)
		return f
	}
	if c.o.Quick {
		return Finding{Check: f.Check, State: FindingOK, Detail: "verified, not compared with its sources"}
	}
	if st, err := s.Status(); err == nil && s.Name == "transcripts" && st.Pending > 0 {
		return Finding{Check: f.Check, State: FindingOK, Detail: fmt.Sprintf("verified; %d older transcripts are not indexed yet, which gitmem index does", st.Pending)}
	}
	d, err := c.compare(s)
	switch {
	case err != nil:
		f.State, f.Fixable, f.Detail = FindingWarn, false, "verified, but it could not be compared with its sources: "+plain.Text(err)
	case d.Count > 0:
		f.Detail = differs(d)
		f.Places = []FindingPlace{{Path: shownID(d.First), Detail: d.Detail}}
	default:
		f = Finding{Check: f.Check, State: FindingOK, Detail: "verified"}
		if d.Passed > 0 {
			f.Detail = fmt.Sprintf("verified; %s of sources that have changed since wait for the next question", messages.Plural(d.Passed, "document"))
		}
	}
	return f
}

func differs(d index.Difference) string {
	return fmt.Sprintf("differs from its sources in %s of %d, the first: %s %s", messages.Plural(d.Count, "document"), d.Compared, shownID(d.First), d.Detail)
}

// shownID writes a document's id as people know it.
func shownID(id string) string { return strings.ReplaceAll(id, ingest.IdFile, " in ") }

const verifyPrefix = "verify-"

// compare builds the index once more beside the one in use, from the sources, and
// compares the two.
func (c *checkup) compare(s ingest.Shard) (d index.Difference, err error) {
	c.removeCompared()
	dir, err := os.MkdirTemp(c.m.ws.IndexDir(), verifyPrefix)
	if err != nil {
		return d, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	o := index.Options{Fingerprint: c.m.src.Fingerprint(), Now: c.m.ws.Options.Now}
	if c.m.ws.Options.Progress != nil {
		o.Progress = func(n int) { c.m.ws.Options.Progress(workspace.Progress{Shard: s.Name + " anew, to compare", Done: n}) }
	}
	have, err := s.Index.Snapshot()
	if err != nil {
		return d, err
	}
	defer func() { err = errors.Join(err, have.Close()) }()
	anew := index.Open(dir, o)
	plan := func(_ map[string]index.Mark, st index.State) (index.Update, error) { return s.Plan(nil, st) }
	if s.History != nil {
		plan = s.History.Like(c.ctx, have)
	}
	if _, err := anew.Refresh(c.ctx, plan); err != nil {
		return d, err
	}
	fresh, err := anew.Snapshot()
	if err != nil {
		if errors.Is(err, index.ErrMissing) {
			return d, nil // no sources at all any more: the next question drops what there is
		}
		return d, err
	}
	defer func() { err = errors.Join(err, fresh.Close()) }()
	return have.Compare(c.ctx, fresh)
}

// removeCompared removes what check-ups that were killed have left.
func (c *checkup) removeCompared() {
	left, err := filepath.Glob(filepath.Join(c.m.ws.IndexDir(), verifyPrefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range left {
		if info, err := os.Stat(dir); err == nil && c.m.ws.Options.Now().Sub(info.ModTime()) > time.Hour {
			_ = os.RemoveAll(dir) // of a cache; the next check-up tries again
		}
	}
}

// checkMeaning looks at the configured model and at the kept vectors.
func (c *checkup) checkMeaning() {
	s := c.m.src.Semantic()
	if s != nil {
		err := s.Ready()
		if err == nil && s.Inline() && !c.o.Quick {
			err = embed.Verify(filepath.Join(c.m.ws.Options.ModelsDir(), s.Conf.Model))
		}
		f := Finding{Check: "model", State: FindingOK, Detail: s.Conf.Model + ", " + s.Where()}
		if err != nil {
			f = Finding{Check: f.Check, State: FindingWarn, Detail: plain.Text(err),
				Advice: "Import the model again, or run: gitmem model use off. Until then questions are answered without it."}
		}
		c.add(f)
	}
	c.checkVectors()
}

// checkVectors reads every file of vectors; with Fix those that are damaged go.
func (c *checkup) checkVectors() {
	dir := c.m.src.VectorsDir()
	if _, err := os.Stat(dir); err != nil {
		return // none were kept
	}
	f := Finding{Check: "vectors", State: FindingOK}
	n, fixed := 0, 0
	for _, v := range ingest.VectorFiles(dir) {
		if v.Lock {
			continue
		}
		n++
		err := embed.Check(v.Path)
		if err == nil {
			continue
		}
		if c.o.Fix && osfile.Remove(v.Path) == nil {
			fixed++
			continue
		}
		f.Places = append(f.Places, FindingPlace{Path: v.Path, Detail: plain.Text(err)})
	}
	switch {
	case len(f.Places) > 0:
		f.State, f.Fixable = FindingWarn, true
		f.Detail = fmt.Sprintf("%s of vectors damaged", messages.Plural(len(f.Places), "file"))
		f.Advice = "Run: gitmem doctor --fix. They are a cache: texts are embedded again."
	case fixed > 0:
		f.Fixed, f.Detail = true, fmt.Sprintf("%s of vectors deleted since damaged: texts are embedded again", messages.Plural(fixed, "file"))
	default:
		f.Detail = messages.Plural(n, "file") + " verified"
	}
	c.add(f)
}
