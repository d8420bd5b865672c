package diagnose

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/embed"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// checkIndexes checks each index of the workspace.
func (c *checkup) checkIndexes(ctx context.Context, p *workspace.Place) {
	shards, err := c.src.Shards(ctx, p)
	if err != nil {
		c.addResult("repository", err, "", "Check the repository with git fsck.")
		return
	}
	if u := p.Untrusted; u != nil {
		c.add(Finding{Check: "repository", State: FindingWarn, Detail: u.Error(),
			Advice: "Its history and its project's memory are left alone; " + p.Allowing()})
	}
	if p.InRepo {
		c.addOK("repository", p.Loc.GitDir)
	}
	for _, s := range shards {
		if ctx.Err() == nil {
			c.checkIndex(ctx, s)
		}
	}
}

// checkIndex verifies the checksums of one index; with Fix it rebuilds a damaged one.
func (c *checkup) checkIndex(ctx context.Context, s ingest.Shard) {
	f := c.indexFinding(ctx, s)
	if f.State != FindingOK && c.o.Fix && f.Fixable {
		was := f.Detail
		err := s.Rebuild(ctx)
		if f = c.indexFinding(ctx, s); err != nil {
			f.State, f.Detail = FindingFail, was+"; could not be built anew: "+plain.Text(err)
		} else if f.State == FindingOK {
			f.Fixed, f.Detail = true, "built anew: "+was
		}
	}
	c.add(f)
}

func (c *checkup) indexFinding(ctx context.Context, s ingest.Shard) Finding {
	f := Finding{Check: s.Name + " index", State: FindingFail, Fixable: true,
		Advice: "Run: gitmem doctor --fix, or gitmem index rebuild."}
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
	if st, err := s.Status(ctx); err == nil && s.Name == "transcripts" && st.Pending > 0 {
		return Finding{Check: f.Check, State: FindingOK,
			Detail: fmt.Sprintf("verified; %d older transcripts are not indexed yet, which gitmem index does", st.Pending)}
	}
	return Finding{Check: f.Check, State: FindingOK, Detail: "verified"}
}

// checkMeaning checks the configured model and the stored vectors.
func (c *checkup) checkMeaning() {
	s := c.src.Semantic()
	if s != nil {
		err := s.Ready()
		switch {
		case err != nil || s.Conf.Endpoint != "":
		case s.Conf.Builtin():
			err = embed.CheckEncoder(c.ws.Options.Encoder)
		default:
			err = embed.Verify(filepath.Join(c.ws.Options.ModelsDir(), s.Conf.Model))
		}
		f := Finding{Check: "model", State: FindingOK, Detail: s.Name() + ", " + s.Where()}
		if err != nil {
			f = Finding{Check: f.Check, State: FindingWarn, Detail: plain.Text(err),
				Advice: "Import the model again, or run: gitmem model use builtin, or off. " +
					"Until then questions are answered without it."}
		}
		c.add(f)
	}
	c.checkVectors()
}

// checkVectors reads every vector file; with Fix it deletes damaged ones.
func (c *checkup) checkVectors() {
	dir := c.src.VectorsDir()
	if _, err := os.Stat(dir); err != nil {
		return // there are none
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
		f.Fixed, f.Detail = true, fmt.Sprintf("%s of vectors deleted since damaged: texts are embedded again",
			messages.Plural(fixed, "file"))
	default:
		f.Detail = messages.Plural(n, "file") + " verified"
	}
	c.add(f)
}
