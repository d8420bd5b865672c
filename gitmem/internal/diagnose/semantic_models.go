package diagnose

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/embed"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/wording"
)

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
		f.Detail = fmt.Sprintf("%s of vectors damaged", wording.Plural(len(f.Places), "file"))
		f.Advice = "Run: gitmem doctor --fix. They are a cache: texts are embedded again."
	case fixed > 0:
		f.Fixed, f.Detail = true, fmt.Sprintf("%s of vectors deleted since damaged: texts are embedded again", wording.Plural(fixed, "file"))
	default:
		f.Detail = wording.Plural(n, "file") + " verified"
	}
	c.add(f)
}
