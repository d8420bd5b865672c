package curate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
)

// Preference is one value of the profile. The JSON form is a public contract.
type Preference struct {
	ID         string  `json:"id"`   // citation id
	Path       string  `json:"path"` // dot path; for a list item with the item's key appended
	Value      string  `json:"value"`
	Confidence float64 `json:"confidence"` // current value, 0 to 1
	LastSeen   string  `json:"last_seen"`  // RFC 3339; "" for a hand-written value that was not seen yet
	DaysLeft   int     `json:"days_left"`  // days until it is removed unless it is mentioned; -1 if pinned
	Source     string  `json:"source"`     // citation id of the last message that mentioned it, or ""
	Said       string  `json:"said"`       // the user's words
	Pinned     bool    `json:"pinned"`
	// Trust is the author: mine, model or imported.
	Trust answer.Trust `json:"trust"`

	entry profile.Entry
}

// At returns the confidence at a time if the value is not mentioned again.
func (p Preference) At(t time.Time) float64 { return p.entry.Now(t) }

// Vanishes returns when the value is removed if it is not mentioned again, or zero if it stays.
func (p Preference) Vanishes() time.Time { return p.entry.Vanishes() }

// String returns the path and the value, with an author mark if it is not the user's own.
func (p Preference) String() string { return p.Path + ": " + p.Value + p.Trust.Mark() }

// Metadata returns the confidence, the time of the last mention, and the remaining time.
func (p Preference) Metadata() string {
	stays := fmt.Sprintf("%d days left", p.DaysLeft)
	if p.Pinned {
		stays = "pinned"
	}
	seen := "by hand"
	if t, err := time.Parse(time.RFC3339, p.LastSeen); err == nil {
		seen = t.Format(time.DateOnly)
	}
	return fmt.Sprintf("%s  (%.2f, %s, %s)", p, p.Confidence, seen, stays)
}

// Preferences is the content of profile.md. The JSON form is a public contract.
type Preferences struct {
	Entries []Preference `json:"entries"`
	Words   string       `json:"words"` // the user's text below the frontmatter
}

// ProfileChanged is the result of a command that changes the profile. The JSON form is a public contract.
type ProfileChanged struct {
	Done   []string `json:"done"`   // such as "set tools.editor Neovim"
	Commit string   `json:"commit"` // "" if nothing changed
}

// ProfileChange is one change in the profile's history. The JSON form is a public contract.
type ProfileChange struct {
	Commit  string `json:"commit"`
	Time    string `json:"time"` // RFC 3339
	Done    string `json:"done"`
	Session string `json:"session"` // session of the mention, "" for a command
}

// profileFile is the file of a profile path, and the path within it. Paths in the project's file begin with "project.".
type profileFile struct {
	rel, prefix, path string
	kind              cite.Kind
}

// profileFile returns the file of a path. With write it creates the project if necessary.
func (ed *Editor) profileFile(ctx context.Context, path string, write bool) (profileFile, error) {
	within, ok := strings.CutPrefix(path+".", ofProject)
	if !ok {
		return profileFile{rel: profile.File, path: path, kind: cite.KindProfile}, nil
	}
	get := ed.ws.Place
	if write {
		get = ed.notePlace
	}
	p, err := get(ctx)
	if err != nil {
		return profileFile{}, err
	}
	return profileFile{rel: p.Project.Dir + "/" + profile.OrdersFile, prefix: ofProject,
		path: strings.TrimSuffix(within, "."), kind: cite.KindOrder}, nil
}

// ofProject is the prefix of paths in the project's file.
const ofProject = "project."

// Profile lists the values at and below a path of the profile; "" lists all, those of the project first. The error
// wraps ErrNotFound if a path has no value.
func (ed *Editor) Profile(ctx context.Context, path string) (Preferences, error) {
	out := Preferences{Entries: []Preference{}}
	paths := []string{path}
	if path == "" {
		paths = []string{strings.TrimSuffix(ofProject, "."), ""}
	}
	for _, path := range paths {
		f, err := ed.profileFile(ctx, path, false)
		if err != nil {
			return out, err
		}
		p, err := ed.ws.Profile(f.rel)
		if err != nil {
			return out, err
		}
		for _, e := range p.Find(f.path) {
			out.Entries = append(out.Entries, ed.preference(f, e))
		}
		if path == "" {
			out.Words = ed.ws.Clean(p.Words)
		}
	}
	if path != "" && len(out.Entries) == 0 {
		return out, &messages.Refusal{Reason: "the profile has no " + path, Advice: "see what it has with gitmem profile",
			Err: messages.ErrNotFound}
	}
	return out, nil
}

// preference converts an entry of a file for display.
func (ed *Editor) preference(f profileFile, e profile.Entry) Preference {
	return preferenceAt(f, e, ed.ws.Options.Now())
}

func preferenceAt(f profileFile, e profile.Entry, now time.Time) Preference {
	days, decays := e.DaysLeft(now)
	if !decays {
		days = -1
	}
	return Preference{
		ID: cite.ID{Kind: f.kind, Name: e.Path}.String(), Path: f.prefix + e.Path, Value: e.Value, Confidence: e.Now(now),
		LastSeen: messages.Instant(e.LastSeen),
		DaysLeft: days, Source: e.Source, Said: e.Said, Pinned: e.Pinned, Trust: cmp.Or(e.By, answer.Mine), entry: e,
	}
}

// SetPreference sets the value at a path of the profile, or adds the value to a list.
func (ed *Editor) SetPreference(ctx context.Context, path, value string) (ProfileChanged, error) {
	value = messages.OneLine(ed.ws.Clean(value), maxPreference)
	if !profile.ValidPath(strings.TrimPrefix(path, ofProject)) {
		return ProfileChanged{}, &messages.Refusal{Reason: path + " is no path of the profile that can be set",
			Advice: "name a section and a field, such as tools.editor, or a list, such as codePreferences.preferredStacks",
			Err:    messages.ErrUsage}
	}
	if profile.Key(value) == "" {
		return ProfileChanged{}, fmt.Errorf("%w: the value for %s is empty", messages.ErrUsage, path)
	}
	by := ed.preferenceBy(path, value)
	return ed.changeProfile(ctx, path, true, func(old []byte, path string) ([]byte, []string, error) {
		m := profile.Mention{Time: ed.ws.Options.Now(), By: by, Changes: []profile.Change{{Path: path, Value: value}}}
		return profile.Update(old, m.Time, []profile.Mention{m})
	})
}

// preferenceBy returns the author of a value that a command sets, "" for the user. Inside the client the user is the
// author only if a sentence that they typed sets this path to this value.
func (ed *Editor) preferenceBy(path, value string) answer.Trust {
	if !ed.ws.InClient() {
		return ""
	}
	within, ofProject := strings.CutPrefix(path, ofProject)
	for _, sentence := range ed.src.Typed(ed.session()) {
		here, changes := profile.OrderChanges(sentence)
		if changes = append(changes, profile.Extract(sentence)...); ofProject {
			changes = here
		}
		if slices.ContainsFunc(changes, func(c profile.Change) bool {
			return !c.Remove && !c.Mentioned && strings.EqualFold(c.Path, within) && profile.Key(c.Value) == profile.Key(value)
		}) {
			return ""
		}
	}
	return answer.Model
}

// ConfirmPreference makes the values at a path the user's own.
func (ed *Editor) ConfirmPreference(ctx context.Context, path string) (ProfileChanged, error) {
	if err := ed.mayConfirm(); err != nil {
		return ProfileChanged{Done: []string{}}, err
	}
	return ed.changeAt(ctx, path, func(old []byte, path string) ([]byte, []string, error) {
		return profile.Confirm(old, ed.ws.Options.Now(), path)
	})
}

// maxPreference is the maximum length of a value in characters.
const maxPreference = 200

// RemovePreference removes the values at and below a path from the profile; "" removes all.
func (ed *Editor) RemovePreference(ctx context.Context, path string) (ProfileChanged, error) {
	return ed.changeAt(ctx, path, func(old []byte, path string) ([]byte, []string, error) {
		return profile.Remove(old, ed.ws.Options.Now(), path)
	})
}

// PinPreference exempts the values at a path from decay, or lets them decay again.
func (ed *Editor) PinPreference(ctx context.Context, path string, pinned bool) (ProfileChanged, error) {
	return ed.changeAt(ctx, path, func(old []byte, path string) ([]byte, []string, error) {
		return profile.Pin(old, ed.ws.Options.Now(), path, pinned)
	})
}

// DecayProfile removes values that were not mentioned for too long.
func (ed *Editor) DecayProfile(ctx context.Context) (ProfileChanged, error) {
	return ed.changeAt(ctx, "", func(old []byte, _ string) ([]byte, []string, error) {
		return profile.Decay(old, ed.ws.Options.Now())
	})
}

// changeAt is like changeProfile but requires an existing value; "" changes all values, including the project's.
func (ed *Editor) changeAt(ctx context.Context, path string, change func(old []byte, path string) ([]byte, []string,
	error)) (ProfileChanged, error) {
	if path != "" {
		if _, err := ed.Profile(ctx, path); err != nil {
			return ProfileChanged{Done: []string{}}, err
		}
		return ed.changeProfile(ctx, path, false, change)
	}
	own, ownErr := ed.changeProfile(ctx, strings.TrimSuffix(ofProject, "."), false, change)
	out, err := ed.changeProfile(ctx, "", false, change)
	return ProfileChanged{Done: append(own.Done, out.Done...), Commit: cmp.Or(out.Commit, own.Commit)},
		errors.Join(ownErr, err)
}

// changeProfile changes the file of a path and commits it. It commits a person's pending edits separately before. With
// create it creates the project's file if necessary.
func (ed *Editor) changeProfile(ctx context.Context, path string, create bool,
	change func(old []byte, path string) ([]byte, []string, error)) (ProfileChanged, error) {
	out := ProfileChanged{Done: []string{}}
	if err := ed.ws.Writable(ctx); err != nil {
		return out, err
	}
	f, err := ed.profileFile(ctx, path, create)
	if err != nil {
		return out, err
	}
	ctx, release, err := ed.ws.Store.Hold(ctx)
	if err != nil {
		return out, err
	}
	defer release()
	if err := ed.src.KeepEdits(ctx, []string{f.rel}); err != nil {
		return out, err
	}
	done, err := ed.ws.ChangeProfile(ctx, f.rel, func(old []byte) ([]byte, []string, error) { return change(old, f.path) })
	if len(done) == 0 {
		return out, err
	}
	out.Done = done
	commit, commitErr := ed.commit(ctx, []string{f.rel}, profile.Subject(done), "the change is in "+f.rel+
		" but is", done...)
	out.Commit = commit
	return out, errors.Join(err, commitErr)
}

// ProfileLog lists the changes of the profile and of the project's file, newest first: at most limit changes, 0 for
// all.
func (ed *Editor) ProfileLog(ctx context.Context, limit int) ([]ProfileChange, error) {
	out := []ProfileChange{}
	if !ed.ws.HasStore() {
		return out, nil
	}
	own, err := ed.profileFile(ctx, strings.TrimSuffix(ofProject, "."), false)
	if err != nil {
		return out, err
	}
	for c, err := range ed.ws.Store.Log(ctx, 0, "") {
		if err != nil {
			return out, err
		}
		if !slices.Contains(c.Paths, profile.File) && !slices.Contains(c.Paths, own.rel) {
			continue
		}
		change := ProfileChange{Commit: c.Hash, Time: messages.Instant(c.Time)}
		var done []string
		for _, t := range c.Trailers {
			what, ok := strings.CutPrefix(t, "Gitmem-Op: ")
			if session, is := strings.CutPrefix(t, "Gitmem-Session: "); is {
				change.Session = session
			} else if others := strings.Contains(what, " "+ofProject) && !slices.Contains(c.Paths, own.rel); ok && !others &&
				what != "observe" && what != "keep" {
				// the subject describes it better
				done = append(done, what)
			}
		}
		if len(done) == 0 {
			done = []string{c.Subject}
		}
		for _, what := range done {
			change.Done = ed.ws.Clean(what)
			if out = append(out, change); len(out) == limit {
				return out, nil
			}
		}
	}
	return out, nil
}
