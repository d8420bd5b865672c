package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/internal/slice"
)

// ErrNotCaptured means that hooks must not write here: capture is off or paused, or the place is excluded. The error's
// text states the reason.
var ErrNotCaptured = errors.New("not captured")

// States of Capture.
const (
	CaptureOn         = "on"
	CaptureOff        = "off"        // by capture: off
	CapturePaused     = "paused"     // by gitmem pause
	CaptureExcluded   = "excluded"   // by an exclude rule
	CaptureUnreadable = "unreadable" // exclusions or pauses are unknown, so nothing is captured
)

// Capture reports whether hooks capture in a place, and why not. The JSON form is a public contract.
type Capture struct {
	State  string `json:"state"`
	Detail string `json:"detail"` // the state as text
	Rule   string `json:"rule"`   // the rule that excludes the place, as written
	Since  string `json:"since"`  // RFC 3339, of a pause
	Until  string `json:"until"`  // RFC 3339, "" for a pause without an end
	Folder string `json:"folder"` // the paused folder, "" for everywhere
}

// policy contains the settings of config.yaml, local.yaml and the list of pauses for this root, and cached results for
// places.
type policy struct {
	Config config.Config
	local  config.Config // the content of local.yaml alone
	// Misplaced are the keys of config.yaml that only apply in local.yaml.
	Misplaced []config.Misplaced
	Rules     config.Matcher
	Jira      config.Matcher // places whose questions ask the tracker; empty: all
	Pauses    config.Pauses
	Err       error // one of the files is unreadable or invalid

	// Caches, shared by several indexes that are updated concurrently.
	folders  sync.Map        // folderRules by folder as spelled
	names    sync.Map        // rule by the client's name of a folder, "" for none
	projects sync.Map        // rule by project, "" for none
	all      []store.Project // every project.md
	allOnce  sync.Once
}

// remembered returns the value of a key, computed by find if it is not cached.
func remembered[V any](known *sync.Map, key string, find func() V) V {
	if v, ok := known.Load(key); ok {
		return v.(V)
	}
	v := find() // may request other keys
	known.Store(key, v)
	return v
}

// ConfigFile returns the path of this root's configuration for all machines.
func (w *Workspace) ConfigFile() string { return filepath.Join(w.Root, "gitmem", "config.yaml") }

// LocalFile returns the path of this root's configuration for this machine, which git ignores.
func (w *Workspace) LocalFile() string { return filepath.Join(w.Root, "gitmem", "local.yaml") }

// FileOf returns the configuration file for which says is true, if it is true for one of them.
func (w *Workspace) FileOf(says func(config.Config) bool) string {
	if says(w.Policy().local) {
		return w.LocalFile()
	}
	return w.ConfigFile()
}

// FileOfRule returns the file that contains an exclude rule.
func (w *Workspace) FileOfRule(rule string) string {
	return w.FileOf(func(c config.Config) bool {
		return slices.ContainsFunc(c.Exclude, func(r config.Rule) bool { return r.Text == rule })
	})
}

// CaptureFile returns the file that disables capture.
func (w *Workspace) CaptureFile() string {
	return w.FileOf(func(c config.Config) bool { return !c.Capture })
}

// Misplaced returns a message about keys of config.yaml that must be moved to local.yaml, "" for none.
func (w *Workspace) Misplaced() string {
	keys := slice.Map(w.Policy().Misplaced,
		func(m config.Misplaced) string { return fmt.Sprintf("%s (line %d)", m.Key, m.Line) })
	if len(keys) == 0 {
		return ""
	}
	return fmt.Sprintf("%s: %s must be in local.yaml beside it, which no other machine can change: "+
		"until then only what restricts is used "+
		"(exclude and off); move them there, or run gitmem doctor --fix", w.ConfigFile(), strings.Join(keys, ", "))
}

// WarnMisplaced warns of keys that the caller may rely on.
func (w *Workspace) WarnMisplaced() {
	if text := w.Misplaced(); text != "" {
		w.Options.Warn(w.Clean(text))
	}
}

// pausedFile returns the path of the pauses. The file is hidden, so that neither the allow-list nor git accepts it:
// pauses apply to one machine.
func (w *Workspace) pausedFile() string { return filepath.Join(w.Root, "gitmem", ".paused") }

// Policy reads the three files once. If they are missing, this costs three failed opens in every hook.
func (w *Workspace) Policy() *policy {
	if w.rules != nil {
		return w.rules
	}
	p := &policy{Config: config.Default(), local: config.Default()}
	w.rules = p
	errs := []error{w.readConfig(p)}
	if b, err := w.ReadOwn(w.pausedFile()); err != nil {
		errs = append(errs, err)
	} else if b != nil {
		if p.Pauses, err = config.ParsePauses(b); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", w.pausedFile(), err))
		}
	}
	p.Err = errors.Join(errs...)
	return p
}

// readConfig reads config.yaml and local.yaml. If one of them is invalid, nothing is configured.
func (w *Workspace) readConfig(p *policy) error {
	shared, sharedErr := w.ReadOwn(w.ConfigFile())
	local, localErr := w.ReadOwn(w.LocalFile())
	if err := errors.Join(sharedErr, localErr); err != nil || shared == nil && local == nil {
		return err
	}
	c, misplaced, sharedErr := config.ParseShared(shared)
	if sharedErr != nil {
		sharedErr = fmt.Errorf("%s: %w", w.ConfigFile(), sharedErr)
	}
	here, localErr := config.Parse(local)
	if localErr != nil {
		localErr = fmt.Errorf("%s: %w", w.LocalFile(), localErr)
	}
	if err := errors.Join(sharedErr, localErr); err != nil {
		p.Config = config.Config{}
		return err
	}
	p.Config, _ = c.With(local) // it was parsed before
	p.local, p.Misplaced = here, misplaced
	machine := config.Machine{Home: w.Options.Home, GOOS: runtime.GOOS, Resolve: RealPath}
	p.Rules, p.Jira = p.Config.Matcher(machine), p.Config.Jira.Matcher(machine)
	return nil
}

// maxOwn is the maximum size of a file in gitmem's folder: people write them.
const maxOwn = 1 << 20

// ReadOwn reads a file of gitmem's folder; nil if it or the folder does not exist.
func (w *Workspace) ReadOwn(name string) ([]byte, error) {
	if info, err := os.Stat(name); err == nil && !info.IsDir() && (!info.Mode().IsRegular() || info.Size() > maxOwn) {
		return nil, fmt.Errorf("%s is no file of %d KiB at most", name, maxOwn>>10)
	}
	b, err := os.ReadFile(name)
	switch {
	case err == nil:
		return append([]byte{}, b...), nil // not nil if empty
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	}
	if info, stat := os.Stat(filepath.Dir(name)); stat != nil || !info.IsDir() {
		return nil, nil
	}
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		err = fmt.Errorf("%s: %w", name, at.Err)
	}
	return nil, err
}

// Capture returns whether hooks capture in the working folder.
func (w *Workspace) Capture(ctx context.Context) (Capture, error) {
	pol := w.Policy()
	switch {
	case pol.Err != nil:
		return Capture{State: CaptureUnreadable, Detail: "nothing is captured: " + w.Clean(pol.Err.Error())}, nil
	case !pol.Config.Capture:
		return Capture{State: CaptureOff, Detail: "off, by capture: off in " + w.CaptureFile()}, nil
	}
	now := w.Options.Now()
	running := pol.Pauses.Running(now)
	if len(running) == 0 && pol.Rules.Empty() { // no need to examine a place
		return Capture{State: CaptureOn, Detail: "on"}, nil
	}
	p, err := w.Place(ctx)
	if err != nil {
		return Capture{}, err
	}
	if rule := w.ExcludedHere(p); rule != "" {
		return Capture{State: CaptureExcluded, Rule: rule,
			Detail: fmt.Sprintf("excluded by the rule %q in %s", rule, w.FileOfRule(rule))}, nil
	}
	dir := RealPath(w.Options.Dir)
	if x, ok := running.At(now, func(folder string) bool { return Below(dir, folder) || Below(p.Folder, folder) }); ok {
		return paused(x, now.Location()), nil
	}
	return Capture{State: CaptureOn, Detail: "on"}, nil
}

// paused describes a pause for a person in time zone loc.
func paused(x config.Pause, loc *time.Location) Capture {
	c := Capture{State: CapturePaused, Folder: x.Folder, Since: x.Since.UTC().Format(time.RFC3339), Detail: "paused"}
	end, resume := "", "gitmem resume"
	if x.Folder != "" {
		c.Detail += " in " + x.Folder
		resume += " --here"
	}
	if !x.Until.IsZero() {
		c.Until = x.Until.UTC().Format(time.RFC3339)
		end = x.Until.In(loc).Format("2006-01-02 15:04 MST") + " or "
	}
	c.Detail += " until " + end + resume
	return c
}

// MayCapture returns an error unless hooks may write.
func (w *Workspace) MayCapture(ctx context.Context) error {
	c, err := w.Capture(ctx)
	switch {
	case err != nil:
		return err
	case c.State == CaptureOn:
		return nil
	case c.State == CaptureUnreadable:
		return w.Policy().Err
	}
	return fmt.Errorf("%w: %s", ErrNotCaptured, c.Detail)
}

// ReportCapture adds the caveats of an answer from here about omitted data.
func (w *Workspace) ReportCapture(p *Place) {
	if err := w.Policy().Err; err != nil {
		w.Caveat("%v; until then hooks capture nothing, and sessions and memory are searched as they were indexed last.",
			w.Clean(err.Error()))
	}
	if text := w.Misplaced(); text != "" {
		w.Caveat("%s", w.Clean(text))
	}
	p.ReportUntrusted(w.Caveat)
	if rule := w.ExcludedHere(p); rule != "" {
		w.Caveat("This folder is excluded by the rule %q in %s: its sessions and its memory are neither captured nor "+
			"searched, only its history and rules.",
			rule, w.FileOfRule(rule))
	}
}

// WarnNotCaptured warns the user of an explicit command that hooks must not write here. The command itself does what
// the user requested.
func (w *Workspace) WarnNotCaptured(ctx context.Context) {
	c, err := w.Capture(ctx)
	switch {
	case err != nil || c.State == CaptureOn:
	case c.State == CaptureExcluded:
		w.Options.Warn(fmt.Sprintf("this folder is %s: what you write is kept, but not searched", c.Detail))
	default:
		w.Options.Warn("sessions are not captured: " + cmp.Or(c.Detail, c.State) + "; what you write yourself is kept")
	}
}
