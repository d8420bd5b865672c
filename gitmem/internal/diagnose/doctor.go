package diagnose

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// The states of a [Finding].
const (
	FindingOK   = "ok"
	FindingWarn = "warn" // nothing is lost, but something should be done
	FindingFail = "fail" // something is damaged, accessible to others or not working
)

// Finding is the result of one check. The JSON form is a public contract, and the names of the checks are stable.
type Finding struct {
	Check   string         `json:"check"`
	State   string         `json:"state"`
	Detail  string         `json:"detail"`
	Advice  string         `json:"advice"`  // what to do, or ""
	Fixable bool           `json:"fixable"` // a check-up with Fix repairs it at least partly
	Fixed   bool           `json:"fixed"`   // this check-up repaired it
	Places  []FindingPlace `json:"places"`  // the affected places
}

// FindingPlace is one file, line or commit that a finding is about. It never contains a secret.
type FindingPlace struct {
	Path   string `json:"path"`
	Line   int    `json:"line"`   // 0 means the whole file
	Kind   string `json:"kind"`   // of a secret
	Commit string `json:"commit"` // first one that contains it
	Detail string `json:"detail"`
}

// Checkup contains the options of [Inspector.Doctor].
type Checkup struct {
	Fix     bool // make safe repairs; otherwise nothing is changed
	Secrets bool // search everything for secrets, including the history
	// Hooks describes the client's hooks.
	Hooks HookCheck
}

// checkup is one run of the doctor.
type checkup struct {
	*Inspector
	o   Checkup
	s   *store.Store // nil if there is none
	out []Finding
}

// Doctor checks the store, its repository, the indexes and the hooks, and recommends an action for each problem. It
// changes nothing unless o.Fix is set, and then only makes safe repairs: it changes nothing of other programs except
// gitmem's own hooks, and no file or commit loses content. It reports what it repaired, and a second run finds no
// problem there.
func (in *Inspector) Doctor(ctx context.Context, o Checkup) ([]Finding, error) {
	in.ws.ReadOnly = !o.Fix
	defer func() { in.ws.ReadOnly = false }()
	c := &checkup{Inspector: in, o: o}
	p, err := in.ws.Place(ctx)
	if err != nil {
		return nil, err
	}
	_, rootErr := os.ReadDir(in.ws.Root)
	if errors.Is(rootErr, fs.ErrNotExist) {
		rootErr = nil // memory was never used here, which is not a problem
	}
	c.addResult("root", rootErr, in.ws.Root, "Set GITMEM_HOME or CLAUDE_CONFIG_DIR to a folder you may read and write.")
	if in.ws.Store == nil {
		c.addOK("store", "none yet: questions are answered from history, rules and transcripts")
	} else {
		so := in.ws.StoreOptions() // opened again, so that its warnings are reported once and as caveats
		so.Warn = func(s string) { in.ws.Caveat("%s", in.ws.Clean(s)) }
		if c.s, err = store.Open(so); err != nil {
			return c.out, err
		}
		defer c.s.Close()
		c.checkStore(ctx)
	}
	c.checkHooks(ctx)
	c.checkClients()
	c.checkClientMemory(p)
	c.checkCheckout(p)
	c.checkTraces(ctx)
	c.checkIndexes(ctx, p)
	c.checkMeaning()
	if o.Secrets && c.s != nil {
		c.searchSecrets(ctx)
	}
	for _, n := range in.ws.Caveats {
		c.add(Finding{Check: "notice", State: FindingWarn, Detail: n, Advice: "See the file or folder that is named."})
	}
	return c.out, ctx.Err()
}

// maxPlaces limits the places of one finding; its detail counts all of them.
const maxPlaces = 1000

// add records a finding with all its texts redacted, including file names.
func (c *checkup) add(f Finding) {
	f.Detail, f.Advice = c.ws.Clean(f.Detail), c.ws.Clean(f.Advice)
	f.Places = append([]FindingPlace{}, f.Places[:min(len(f.Places), maxPlaces)]...)
	for i := range f.Places {
		p := &f.Places[i]
		p.Path, p.Detail = c.ws.Clean(p.Path), c.ws.Clean(p.Detail)
	}
	if f.State == FindingOK && !f.Fixed {
		f.Advice = ""
	}
	c.out = append(c.out, f)
}

func (c *checkup) addOK(check, detail string) {
	c.add(Finding{Check: check, State: FindingOK, Detail: detail})
}

// addResult records a finding that depends on whether err is nil.
func (c *checkup) addResult(check string, err error, fine, advice string) {
	if err == nil {
		c.addOK(check, fine)
		return
	}
	c.add(Finding{Check: check, State: FindingFail, Detail: plain.Text(err), Advice: advice})
}

// check is one check of the store with an optional repair.
type check struct {
	name, fine, advice string
	look               func() ([]store.Trouble, error)
	fix                func([]store.Trouble) error // nil if there is no repair
}

// run checks, repairs if requested, and checks again: a problem counts as fixed if it is no longer found.
func (c *checkup) run(k *check) {
	found, err := k.look()
	var fixed []store.Trouble
	if c.o.Fix && k.fix != nil && err == nil && slices.ContainsFunc(found, func(t store.Trouble) bool {
		return t.Fixable
	}) {
		before := found
		if err = k.fix(found); err != nil {
			err = fmt.Errorf("could not be put right: %w", err)
		} else if found, err = k.look(); err == nil {
			fixed = slices.DeleteFunc(before, func(t store.Trouble) bool { return slices.ContainsFunc(found, t.Same) })
		}
	}
	c.add(c.judge(k, found, fixed, err))
}

// judge makes a finding of the problems that a check found and fixed.
func (c *checkup) judge(k *check, found, fixed []store.Trouble, err error) Finding {
	f := Finding{Check: k.name, State: FindingOK, Detail: k.fine, Advice: k.advice, Fixed: len(fixed) > 0}
	slices.SortStableFunc(found, func(a, b store.Trouble) int { return int(b.Level) - int(a.Level) }) // the worst first
	var details []string
	for _, t := range found {
		f.Places = append(f.Places, FindingPlace{Path: t.Path, Line: t.Line, Detail: t.Detail})
		f.Fixable = f.Fixable || t.Fixable && k.fix != nil
	}
	if len(found) > 0 {
		f.State = [...]string{FindingOK, FindingWarn, FindingFail}[found[0].Level]
		details = append(details, summarize(found))
	}
	for _, t := range fixed {
		f.Places = append(f.Places, FindingPlace{Path: t.Path, Line: t.Line, Detail: "put right: " + t.Detail})
	}
	if len(fixed) > 0 {
		details = append(details, "put right: "+summarize(fixed))
	}
	if err != nil {
		f.State = FindingFail
		details = append([]string{plain.Text(err)}, details...)
	}
	if len(details) > 0 {
		f.Detail = strings.Join(details, "; ")
	}
	if f.Fixable {
		f.Advice = "Run: gitmem doctor --fix. " + k.advice
	}
	if f.Fixed && f.State == FindingOK {
		f.Advice = ""
	}
	if err != nil && len(found) == 0 {
		f.Advice = unchecked
	}
	return f
}

// unchecked is the advice if a check could not be made.
const unchecked = "This could not be checked. Put right first what is named here and by the other checks; git fsck " +
	"--full tells more of a repository."

// summarize describes the first problem and counts the others.
func summarize(list []store.Trouble) string {
	text := strings.TrimSpace(list[0].Path + " " + list[0].Detail)
	if list[0].Line > 0 {
		text = fmt.Sprintf("%s line %d %s", list[0].Path, list[0].Line, list[0].Detail)
	}
	if n := len(list) - 1; n > 0 {
		text += fmt.Sprintf(" (and %d more)", n)
	}
	return text
}
