package browse

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/internal/slice"
)

// Changed is the result of a change: what was written, and the commit for undoing it.
type Changed struct {
	Did     []string
	Commit  string
	Changes []ChangeView
	Notes   []string // additional information
	Back    string   // address of the page that shows it
	Final   bool     // it can't be undone
}

// LineEdit is an edit of a line. Conflict is why it can't be written, or "", and Theirs is then the current
// text in the file.
type LineEdit struct {
	File                        string
	Line                        int32
	Was, Text, Theirs, Conflict string
}

// ForgetPlan lists what would be forgotten, with the seal that confirms it.
type ForgetPlan struct {
	*gitmem.Forgetting
	What, Seal string
	Changed    bool // since it was shown
}

// change handles a form that changes memory, if it has the edit token. A change is completed even if the
// browser disconnects.
func (s *site) change(a *access, do changer) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !a.mayEdit(r) {
			why := Fault{"This page may change nothing.", "Start gitmem browse --edit, and open the page again."}
			s.write(w, http.StatusForbidden, page{"Not changed", "error", why})
			return
		}
		var p page
		err := r.ParseForm()
		if err != nil {
			err = fmt.Errorf("%w: the form can't be read: %w", gitmem.ErrUsage, err)
		} else {
			p, err = do(context.WithoutCancel(r.Context()), r.PostForm)
		}
		switch _, conflict := p.view.(*LineEdit); {
		case err != nil:
			s.write(w, statusOf(err), page{"Not changed", "error", faultView(err)})
		case conflict:
			s.write(w, http.StatusConflict, p)
		default:
			s.write(w, http.StatusOK, p)
		}
	}
}

// changeLine replaces a line with another text.
func (s *site) changeLine(ctx context.Context, form url.Values) (page, error) {
	edit := &LineEdit{File: form.Get("file"), Line: number(form, "line"), Was: form.Get("was")}
	edit.Text = strings.TrimRight(strings.ReplaceAll(form.Get("text"), "\r\n", "\n"), "\n")
	if strings.TrimSpace(edit.Text) == "" {
		return page{}, refusal(gitmem.ErrUsage, "the line would be empty", "forget it instead")
	}
	is := func(f gitmem.MemoryFile) bool { return f.Path == edit.File && editable(f) }
	files, err := s.m.History().Files(ctx, "", is)
	if err != nil {
		return page{}, err
	}
	i := slices.IndexFunc(files.List, is)
	if i < 0 {
		return page{}, fmt.Errorf("%w: %.200s is no file that can be changed here", gitmem.ErrUsage, edit.File)
	}
	e, err := s.m.Edit(ctx, s.m.Root()+"/"+edit.File)
	if err != nil {
		return page{}, err
	}
	lines := strings.SplitAfter(string(e.Text), "\n")
	at := edit.find(lines, files.List[i].Text)
	if at < 0 {
		return edit.conflict(files.List[i].Text, ""), nil
	}
	end := strings.TrimPrefix(lines[at], strings.TrimRight(lines[at], "\r\n"))
	lines[at] = strings.ReplaceAll(edit.Text, "\n", cmp.Or(end, "\n")) + end
	done, err := s.m.SaveEdit(ctx, e, []byte(strings.Join(lines, "")))
	if errors.Is(err, gitmem.ErrConflict) { // the text read above is outdated
		now, bad := s.m.History().Files(ctx, "", is)
		if i = slices.IndexFunc(now.List, is); bad != nil || i < 0 {
			return page{}, cmp.Or(bad, err)
		}
		return edit.conflict(now.List[i].Text, gitmem.Redacted(gitmem.ErrorText(err))), nil
	}
	did := []string{"changed line " + strconv.Itoa(at+1) + " of " + done.Path}
	if len(done.Files) == 0 {
		did[0] = done.Path + " says that already"
	}
	back := "/memory?" + url.Values{"tab": {files.List[i].Kind}, "file": {edit.File}}.Encode()
	return changed(Changed{Did: did, Commit: done.Commit, Changes: changesOf(done.Files), Back: back}), err
}

// find returns the index of the line to edit: its former position, or its current one if it is unique;
// otherwise -1. If the line at the former position looks the same on the page but differs, it contains hidden
// text, and find does not look elsewhere.
func (l *LineEdit) find(lines []string, shown string) int {
	is := func(line string) bool { return strings.TrimRight(line, "\r\n") == l.Was }
	if at := int(l.Line) - 1; at >= 0 && at < len(lines) && is(lines[at]) {
		return at
	}
	if slice.Count(lines, is) != 1 || l.shownIn(shown) == l.Was {
		return -1
	}
	return slices.IndexFunc(lines, is)
}

// shownIn returns what a page currently shows at the position of the line.
func (l *LineEdit) shownIn(text string) string {
	lines := strings.Split(text, "\n")
	if l.Line <= 0 || int(l.Line) > len(lines) {
		return ""
	}
	return gitmem.Visible(strings.TrimRight(lines[l.Line-1], "\r"))
}

// conflict returns the page for an edit that can't be written, with the current text of the file; why is ""
// if the line was not found.
func (l *LineEdit) conflict(shown, why string) page {
	l.Theirs = l.shownIn(shown)
	l.Conflict = cmp.Or(why, "This line has changed since you began")
	if why == "" && l.Theirs == l.Was {
		l.Conflict = "This line is not in the file as it is shown here: change it with gitmem edit"
	}
	return page{"Conflict", "memory-edit", l}
}

func changed(c Changed) page { return page{"Changed", "changed", c} }

// undo reverts the changes of a commit.
func (s *site) undo(ctx context.Context, form url.Values) (page, error) {
	u, err := s.m.History().Undo(ctx, form.Get("commit"), false)
	c := Changed{Did: []string{"undid: " + u.Subject}, Commit: u.Commit, Changes: changesOf(u.Files), Back: "/memory"}
	for _, left := range u.Left {
		c.Notes = append(c.Notes, left+" stays as it is, since the store needs it")
	}
	return changed(c), err
}

// plan finds what would be forgotten.
func (s *site) plan(ctx context.Context, what string) (ForgetPlan, error) {
	if what == "" { // it would mean everything that was forgotten before
		return ForgetPlan{}, fmt.Errorf("%w: nothing is named that is to be forgotten", gitmem.ErrUsage)
	}
	plan, err := s.m.PlanForget(ctx, []string{what}, false)
	if err != nil {
		return ForgetPlan{}, err
	}
	b, err := json.Marshal(plan)
	return ForgetPlan{Forgetting: plan, What: what, Seal: fmt.Sprintf("%x", sha256.Sum256(b))}, err
}

// forgetPage shows what would be forgotten.
func (s *site) forgetPage(ctx context.Context, _ *http.Request, q url.Values) (page, error) {
	if !s.edit {
		return page{}, refusal(gitmem.ErrUsage, "these pages change nothing", "start gitmem browse --edit")
	}
	v, err := s.plan(ctx, q.Get("what"))
	return page{"Forget", "forget", v}, err
}

// forget executes a plan that was shown, or shows it again if something has changed since.
func (s *site) forget(ctx context.Context, form url.Values) (page, error) {
	v, err := s.plan(ctx, form.Get("what"))
	if err != nil {
		return page{}, err
	}
	if v.Seal != form.Get("seal") {
		v.Changed = true
		return page{"Forget", "forget", v}, nil
	}
	done, err := s.m.Forget(ctx, v.Forgetting)
	c := Changed{Commit: done.Commit, Back: "/memory", Final: true, Notes: []string{
		"It can't be undone. Earlier commits still hold it: gitmem forget --history shows what removing it there means."}}
	for _, l := range done.Lines {
		c.Did = append(c.Did, "forgot in "+l.File+": "+l.Text)
	}
	for _, h := range done.Hidden {
		c.Did = append(c.Did, "hid "+h.ID)
	}
	for _, e := range done.Elsewhere {
		c.Notes = append(c.Notes, "The same still stands in "+e.ID+": "+e.Excerpt)
	}
	c.Notes = append(c.Notes, done.Caveats...)
	return changed(c), err
}

// setTask changes the state of a task, or confirms its text as the user's own.
func (s *site) setTask(ctx context.Context, form url.Values) (page, error) {
	var t gitmem.TaskChanged
	var err error
	if form.Get("state") == "confirm" {
		t, err = s.m.Tasks().Confirm(ctx, form.Get("id"))
	} else {
		t, err = s.m.Tasks().Set(ctx, gitmem.TaskChange{ID: form.Get("id"), State: form.Get("state")})
	}
	return changed(Changed{Did: []string{t.State + ": " + t.Title}, Commit: t.Commit, Back: "/memory?tab=tasks"}), err
}

// confirmDecision accepts a proposed decision.
func (s *site) confirmDecision(ctx context.Context, form url.Values) (page, error) {
	d, err := s.m.ConfirmDecision(ctx, form.Get("id"))
	return changed(Changed{Did: []string{d.Status + ": " + d.Title}, Commit: d.Commit, Back: "/memory?tab=decisions"}), err
}
