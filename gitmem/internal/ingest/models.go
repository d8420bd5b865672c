package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/gitmem/internal/embed"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Model is an installed embedding model. The JSON form is a public contract.
type Model struct {
	Name        string `json:"name"`
	Bytes       int64  `json:"bytes"`
	Dimensions  int    `json:"dimensions"`
	Tokens      int    `json:"tokens"`
	Fingerprint string `json:"fingerprint"`
	Source      string `json:"source"`   // original folder
	Revision    string `json:"revision"` // commit there, "" for a folder
	InUse       bool   `json:"in_use"`
	Error       string `json:"error"` // why it cannot be used, or ""
}

func (src *Sources) model(name string, r embed.Record, err error) Model {
	conf := src.ws.Policy().Config.Embed
	out := Model{
		Name: name, Bytes: r.Bytes(), Dimensions: r.Dim, Tokens: r.Tokens, Fingerprint: r.Fingerprint().String(),
		Source: src.ws.Clean(r.Source), Revision: r.Revision, InUse: conf.Endpoint == "" && conf.Model == name,
	}
	if err != nil {
		out.Error = src.ws.Clean(plain.Text(err))
	}
	return out
}

// InstalledModels lists the installed models by name, with their folder. The JSON form is a public contract.
type InstalledModels struct {
	Dir    string  `json:"dir"`
	Models []Model `json:"models"`
}

// Models lists the installed models.
func (src *Sources) Models() (InstalledModels, error) {
	src.ws.WarnMisplaced()
	out := InstalledModels{Dir: src.ws.Options.ModelsDir(), Models: src.builtin()}
	found, err := embed.List(out.Dir)
	for _, f := range found {
		out.Models = append(out.Models, src.model(f.Name, f.Record, f.Err))
	}
	return out, err
}

// builtin returns the built-in model, if there is one.
func (src *Sources) builtin() []Model {
	file := src.ws.Options.Encoder
	if file == nil {
		return []Model{}
	}
	m := Model{Name: config.EmbedBuiltin, Bytes: int64(len(file)), InUse: src.ws.Policy().Config.Embed.Builtin()}
	e, err := embed.OpenEncoder(file)
	if err != nil {
		m.Error = err.Error()
		return []Model{m}
	}
	m.Dimensions, m.Tokens = e.Size()
	m.Fingerprint = e.Fingerprint().String()
	return []Model{m}
}

// ImportModel loads and tests the model in a folder and copies it to the installed ones. An empty name means the
// folder's name.
func (src *Sources) ImportModel(ctx context.Context, dir, name string) (Model, error) {
	dir = workspace.Absolute(dir, src.ws.Options.Dir)
	if name == "" {
		name = filepath.Base(dir)
	}
	if !embed.ValidName(name) {
		return Model{}, fmt.Errorf("%w: %q can't be a model's name: letters, digits, dots, dashes and underscores can",
			messages.ErrUsage, name)
	}
	if name == config.EmbedOff || name == config.EmbedBuiltin {
		return Model{}, fmt.Errorf("%w: %q has a meaning of its own in local.yaml: choose another with --name",
			messages.ErrUsage, name)
	}
	r, err := embed.Import(ctx, dir, src.ws.Options.ModelsDir(), name)
	if err != nil {
		return Model{}, fmt.Errorf("import %s: %w", dir, err)
	}
	return src.model(name, r, nil), nil
}

// RemoveModel deletes an installed model and its vectors in this root. If the model is in use, searches by meaning then
// fail with an error.
func (src *Sources) RemoveModel(name string) (Model, error) {
	if !embed.ValidName(name) {
		return Model{}, fmt.Errorf("%w: %q can't be a model's name", messages.ErrUsage, name)
	}
	r, readErr := embed.ReadRecord(filepath.Join(src.ws.Options.ModelsDir(), name))
	gone := src.model(name, r, nil)
	err := embed.Remove(src.ws.Options.ModelsDir(), name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Model{}, src.noModel(name)
	case err != nil:
		return Model{}, err
	case readErr != nil: // damaged: its vectors are unknown
		return gone, nil
	}
	var errs []error
	for _, f := range VectorFiles(src.VectorsDir()) {
		if f.print == gone.Fingerprint {
			errs = append(errs, osfile.Remove(f.Path))
		}
	}
	return gone, errors.Join(errs...)
}

// UseModel sets an installed model or the built-in one in the root's local.yaml; "off" disables searches by meaning.
// The rest of the file is unchanged.
func (src *Sources) UseModel(ctx context.Context, name string) error {
	if name != config.EmbedOff && name != config.EmbedBuiltin {
		if err := src.checkModel(name); err != nil {
			return err
		}
	}
	return src.ws.Configure(ctx, func(old []byte) ([]byte, error) { return config.WithModel(old, name) })
}

// checkModel returns an error if an installed model cannot be used.
func (src *Sources) checkModel(name string) error {
	if !embed.ValidName(name) {
		return fmt.Errorf("%w: %q can't be a model's name", messages.ErrUsage, name)
	}
	dir := filepath.Join(src.ws.Options.ModelsDir(), name)
	encoder, err := embed.LoadEncoder(dir)
	if err == nil && encoder == nil {
		_, err = embed.LoadStatic(dir)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return src.noModel(name)
	}
	return err
}

func (src *Sources) noModel(name string) error {
	return &messages.Refusal{Reason: fmt.Sprintf("no model %s in %s", name, src.ws.Options.ModelsDir()),
		Err:    messages.ErrNotFound,
		Advice: "gitmem model list names those that are installed; gitmem model import installs one"}
}

// Name returns the name of the model.
func (s *Semantic) Name() string { return cmp.Or(s.Conf.Model, config.EmbedBuiltin) }

// Where describes where texts are embedded.
func (s *Semantic) Where() string {
	if s.Conf.Endpoint == "" {
		return "on this machine"
	}
	return "on " + s.Conf.Endpoint
}
