package gitmem

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/gitmem/internal/embed"
	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
)

// Models are the embedding models on this machine, and which of them the root uses.
type Models struct{ m *Memory }

// Models gives access to the embedding models on this machine.
func (m *Memory) Models() *Models { return &Models{m} }

// Model is an installed model that turns texts into vectors. The JSON form is a
// public contract.
type Model struct {
	Name        string `json:"name"`
	Bytes       int64  `json:"bytes"`
	Dimensions  int    `json:"dimensions"`
	Tokens      int    `json:"tokens"`
	Fingerprint string `json:"fingerprint"`
	Source      string `json:"source"`   // folder that it came from
	Revision    string `json:"revision"` // commit there, "" for a folder
	InUse       bool   `json:"in_use"`
	Error       string `json:"error"` // why it can't be used, "" when it can
}

// modelsDir is where models lie: in the user's cache, since each can be imported
// again, and by no root, since they are large.
func (o Options) modelsDir() string { return filepath.Join(o.CacheDir, "gitmem", "models") }

// Dir is the folder of installed models.
func (ms *Models) Dir() string { return ms.m.o.modelsDir() }

func (m *Memory) model(name string, r embed.Record, err error) Model {
	conf := m.policy().config.Embed
	out := Model{
		Name: name, Bytes: r.Bytes(), Dimensions: r.Dim, Tokens: r.Tokens, Fingerprint: r.Fingerprint().String(),
		Source: m.clean(r.Source), Revision: r.Revision, InUse: conf.Endpoint == "" && conf.Model == name,
	}
	if err != nil {
		out.Error = m.clean(plain.Text(err))
	}
	return out
}

// List lists the installed models by name.
func (ms *Models) List() ([]Model, error) {
	found, err := embed.List(ms.m.o.modelsDir())
	out := []Model{}
	for _, f := range found {
		out = append(out, ms.m.model(f.Name, f.Record, f.Err))
	}
	return out, err
}

// Import copies the static model in a folder to the installed ones, after it
// was loaded and tried; a name of "" is the folder's own.
func (ms *Models) Import(ctx context.Context, dir, name string) (Model, error) {
	dir = absolute(dir, ms.m.o.Dir)
	if name == "" {
		name = filepath.Base(dir)
	}
	if !embed.ValidName(name) {
		return Model{}, fmt.Errorf("%w: %q can't be a model's name: letters, digits, dots, dashes and underscores can", ErrUsage, name)
	}
	r, err := embed.Import(ctx, dir, ms.m.o.modelsDir(), name)
	if err != nil {
		return Model{}, fmt.Errorf("import %s: %w", dir, err)
	}
	return ms.m.model(name, r, nil), nil
}

// Remove deletes an installed model and this root's vectors by it. The model
// may be in use: searching by meaning then fails and says so.
func (ms *Models) Remove(_ context.Context, name string) (Model, error) {
	if !embed.ValidName(name) {
		return Model{}, fmt.Errorf("%w: %q can't be a model's name", ErrUsage, name)
	}
	r, readErr := embed.ReadRecord(filepath.Join(ms.m.o.modelsDir(), name))
	gone := ms.m.model(name, r, nil)
	err := embed.Remove(ms.m.o.modelsDir(), name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Model{}, ms.m.noModel(name)
	case err != nil:
		return Model{}, err
	case readErr != nil: // a damaged one: whose vectors were its is not known
		return gone, nil
	}
	var errs []error
	for _, f := range vectorFiles(ms.m.vectorsDir()) {
		if f.print == gone.Fingerprint {
			errs = append(errs, osfile.Remove(f.path))
		}
	}
	return gone, errors.Join(errs...)
}

// Use names an installed model in the root's config.yaml, or with "off" switches
// searching by meaning off. All else in the file stays.
func (ms *Models) Use(ctx context.Context, name string) error {
	if name == "off" {
		name = ""
	} else if err := ms.m.checkModel(name); err != nil {
		return err
	}
	if err := ms.m.writable(ctx); err != nil {
		return err
	}
	unlock, err := ms.m.store.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	old, err := ms.m.readOwn(ms.m.configFile())
	if err != nil {
		return err
	}
	next, err := config.WithModel(old, name)
	if err != nil {
		return fmt.Errorf("%s: %w", ms.m.configFile(), err)
	}
	ms.m.rules = nil
	return replaceFile(ms.m.configFile(), next)
}

// checkModel tells why an installed model can't be used.
func (m *Memory) checkModel(name string) error {
	if !embed.ValidName(name) {
		return fmt.Errorf("%w: %q can't be a model's name", ErrUsage, name)
	}
	_, err := embed.LoadStatic(filepath.Join(m.o.modelsDir(), name))
	if errors.Is(err, fs.ErrNotExist) {
		return m.noModel(name)
	}
	return err
}

func (m *Memory) noModel(name string) error {
	return &Refusal{Reason: fmt.Sprintf("no model %s in %s", name, m.o.modelsDir()), Err: ErrNotFound,
		Advice: "gitmem model list names those that are installed; gitmem model import installs one"}
}

// checkMeaning looks at the configured model and at the kept vectors.
func (c *checkup) checkMeaning() {
	s := c.m.semantic()
	if s != nil {
		err := s.ready()
		if err == nil && s.inline() && !c.o.Quick {
			err = embed.Verify(filepath.Join(c.m.o.modelsDir(), s.conf.Model))
		}
		f := Finding{Check: "model", State: FindingOK, Detail: s.conf.Model + ", " + s.where()}
		if err != nil {
			f = Finding{Check: f.Check, State: FindingWarn, Detail: plain.Text(err),
				Advice: "Import the model again, or run: gitmem model use off. Until then questions are answered without it."}
		}
		c.add(f)
	}
	c.checkVectors()
}

func (s *semantic) where() string {
	if s.inline() {
		return "on this machine"
	}
	return "on " + s.conf.Endpoint
}

// checkVectors reads every file of vectors; with Fix those that are damaged go.
func (c *checkup) checkVectors() {
	dir := c.m.vectorsDir()
	if _, err := os.Stat(dir); err != nil {
		return // none were kept
	}
	f := Finding{Check: "vectors", State: FindingOK}
	n, fixed := 0, 0
	for _, v := range vectorFiles(dir) {
		if v.lock {
			continue
		}
		n++
		err := embed.Check(v.path)
		if err == nil {
			continue
		}
		if c.o.Fix && osfile.Remove(v.path) == nil {
			fixed++
			continue
		}
		f.Places = append(f.Places, FindingPlace{Path: v.path, Detail: plain.Text(err)})
	}
	switch {
	case len(f.Places) > 0:
		f.State, f.Fixable = FindingWarn, true
		f.Detail = fmt.Sprintf("%s of vectors damaged", plural(len(f.Places), "file"))
		f.Advice = "Run: gitmem doctor --fix. They are a cache: texts are embedded again."
	case fixed > 0:
		f.Fixed, f.Detail = true, fmt.Sprintf("%s of vectors deleted since damaged: texts are embedded again", plural(fixed, "file"))
	default:
		f.Detail = plural(n, "file") + " verified"
	}
	c.add(f)
}
