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

// Changed is what a change did: what was written, and the commit, by which it is undone.
type Changed struct {
	Did     []string
	Commit  string
	Changes []FileDiff
	Notes   []string // what there is to know besides
	Back    string   // address of the page that shows it
	Undo    bool
}

// LineEdit is a line as somebody edits it. Theirs is what the file has in its place since, where that is
// not what was to be changed.
type LineEdit struct {
	File              string
	Line              int32
	Was, Text, Theirs string
	Conflict          bool
}

// ForgetPlan is what would be forgotten, with the seal by which it is carried out.
type ForgetPlan struct {
	What, Seal string
	Lines      []ForgottenLine
	Hidden     []HiddenSource
	Missing    []string
	Changed    bool // since it was shown
}

// ForgottenLine is a line that goes from a file.
type ForgottenLine struct{ File, ID, Text string }

// HiddenSource is a source that stays where it is and is not shown any more.
type HiddenSource struct{ ID, Where string }

// mostSent is the largest form that is read.
const mostSent = 1 << 20

// change answers a form that changes memory, if it has the token of changes. What was begun is finished
// although the browser goes away.
func (s *site) change(a *access, do func(context.Context, url.Values) (page, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !a.mayEdit(r) {
			why := Fault{"This page may change nothing.", "Start gitmem browse --edit, and open the page again."}
			s.write(w, http.StatusForbidden, page{"Not changed", "error", why})
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, mostSent)
		err := r.ParseForm()
		p, status := page{}, http.StatusOK
		if err == nil {
			p, err = do(context.WithoutCancel(r.Context()), r.PostForm)
		} else {
			err = fmt.Errorf("%w: the form can't be read: %w", gitmem.ErrUsage, err)
		}
		if line, ok := p.view.(*LineEdit); ok && line.Conflict {
			status = http.StatusConflict
		}
		if err != nil {
			status, p = statusOf(err), page{"Not changed", "error", faultView(err)}
		}
		s.write(w, status, p)
	}
}

func memoryAddress(kind, file string) string {
	return "/memory?" + url.Values{"tab": {kind}, "file": {file}}.Encode()
}

// changeLine puts another text in the place of a line.
func (s *site) changeLine(ctx context.Context, form url.Values) (page, error) {
	line, _ := strconv.ParseInt(form.Get("line"), 10, 32)
	edit := &LineEdit{File: form.Get("file"), Line: int32(line), Was: form.Get("was")}
	edit.Text = strings.TrimRight(strings.ReplaceAll(form.Get("text"), "\r\n", "\n"), "\n")
	if strings.TrimSpace(edit.Text) == "" {
		return page{}, &gitmem.Refusal{Err: gitmem.ErrUsage, Reason: "the line would be empty", Advice: "forget it instead"}
	}
	files, err := s.m.History().Files(ctx, "", "")
	if err != nil {
		return page{}, err
	}
	i := slices.IndexFunc(files.List, func(f gitmem.MemoryFile) bool { return f.Path == edit.File && editable(f) })
	if i < 0 {
		return page{}, fmt.Errorf("%w: %.200s is no file that can be changed here", gitmem.ErrUsage, edit.File)
	}
	e, err := s.m.Edit(ctx, s.m.Root()+"/"+edit.File)
	if err != nil {
		return page{}, err
	}
	lines := strings.SplitAfter(string(e.Text), "\n")
	at, err := edit.find(lines)
	if err != nil {
		return page{}, err
	}
	if at < 0 {
		return page{"Conflict", "memory-edit", edit}, nil
	}
	end := strings.TrimPrefix(lines[at], strings.TrimRight(lines[at], "\r\n"))
	lines[at] = strings.ReplaceAll(edit.Text, "\n", cmp.Or(end, "\n")) + end
	done, err := s.m.SaveEdit(ctx, e, []byte(strings.Join(lines, "")))
	if errors.Is(err, gitmem.ErrConflict) {
		edit.Conflict, edit.Theirs = true, "another change of the same line, which was written just now"
		return page{"Conflict", "memory-edit", edit}, nil
	}
	did := []string{"changed line " + strconv.Itoa(at+1) + " of " + done.Path}
	if len(done.Files) == 0 {
		did[0] = done.Path + " says that already"
	}
	back := memoryAddress(files.List[i].Kind, edit.File)
	return changed(Changed{Did: did, Commit: done.Commit, Changes: fileDiffs(done.Files), Back: back, Undo: true}), err
}

// find is the index of the line that is edited: where it was, or where it alone is now. It is -1 where
// somebody changed it or took it out, which is then said in Theirs.
func (l *LineEdit) find(lines []string) (int, error) {
	is := func(line string) bool { return strings.TrimRight(line, "\r\n") == l.Was }
	at := int(l.Line) - 1
	there := at >= 0 && at < len(lines)
	switch {
	case there && is(lines[at]):
		return at, nil
	case there && gitmem.Redacted(strings.TrimRight(lines[at], "\r\n")) == l.Was:
		return -1, &gitmem.Refusal{
			Err: gitmem.ErrUsage, Reason: fmt.Sprintf("line %d of %s holds a secret that is not shown", l.Line, l.File),
			Advice: fmt.Sprintf("change it with gitmem edit %s:%d", l.File, l.Line),
		}
	case slice.Count(lines, is) == 1:
		return slices.IndexFunc(lines, is), nil
	}
	if l.Conflict = true; there {
		l.Theirs = gitmem.Redacted(strings.TrimRight(lines[at], "\r\n"))
	}
	return -1, nil
}

func changed(c Changed) page {
	c.Undo = c.Undo && c.Commit != ""
	return page{"Changed", "changed", c}
}

// undo takes back what a commit changed.
func (s *site) undo(ctx context.Context, form url.Values) (page, error) {
	u, err := s.m.History().Undo(ctx, form.Get("commit"), false)
	c := Changed{Did: []string{"undid: " + u.Subject}, Commit: u.Commit, Changes: fileDiffs(u.Files), Back: "/memory", Undo: true}
	for _, left := range u.Left {
		c.Notes = append(c.Notes, left+" stays as it is, since the store needs it")
	}
	return changed(c), err
}

// plan finds what would be forgotten.
func (s *site) plan(ctx context.Context, what string) (*gitmem.Forgetting, ForgetPlan, error) {
	if what == "" { // which would mean all that was forgotten before
		return nil, ForgetPlan{}, fmt.Errorf("%w: nothing is named that is to be forgotten", gitmem.ErrUsage)
	}
	plan, err := s.m.PlanForget(ctx, []string{what}, false)
	if err != nil {
		return nil, ForgetPlan{}, err
	}
	b, err := json.Marshal(plan)
	v := ForgetPlan{What: what, Seal: fmt.Sprintf("%x", sha256.Sum256(b)), Missing: plan.Missing}
	v.Lines = slice.Map(plan.Lines, func(l gitmem.ForgottenLine) ForgottenLine { return ForgottenLine(l) })
	v.Hidden = slice.Map(plan.Hidden, func(h gitmem.HiddenSource) HiddenSource { return HiddenSource(h) })
	return plan, v, err
}

// forgetPage shows what would be forgotten.
func (s *site) forgetPage(ctx context.Context, _ *http.Request, q url.Values) (page, error) {
	if !s.edit {
		return page{}, &gitmem.Refusal{Err: gitmem.ErrUsage, Reason: "these pages change nothing", Advice: "start gitmem browse --edit"}
	}
	_, v, err := s.plan(ctx, q.Get("what"))
	return page{"Forget", "forget", v}, err
}

// forget carries a plan out that was shown, and shows it anew where something has changed since.
func (s *site) forget(ctx context.Context, form url.Values) (page, error) {
	plan, v, err := s.plan(ctx, form.Get("what"))
	if err != nil {
		return page{}, err
	}
	if v.Seal != form.Get("seal") {
		v.Changed = true
		return page{"Forget", "forget", v}, nil
	}
	done, err := s.m.Forget(ctx, plan)
	c := Changed{Commit: done.Commit, Back: "/memory", Notes: []string{
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

// setTask changes the state of a task, or makes its words the user's own.
func (s *site) setTask(ctx context.Context, form url.Values) (page, error) {
	var t gitmem.TaskChanged
	var err error
	if form.Get("state") == "confirm" {
		t, err = s.m.Tasks().Confirm(ctx, form.Get("id"))
	} else {
		t, err = s.m.Tasks().Set(ctx, gitmem.TaskChange{ID: form.Get("id"), State: form.Get("state")})
	}
	return changed(Changed{Did: []string{t.State + ": " + t.Title}, Commit: t.Commit, Back: "/memory?tab=tasks", Undo: true}), err
}

// confirmDecision accepts a decision that was proposed.
func (s *site) confirmDecision(ctx context.Context, form url.Values) (page, error) {
	d, err := s.m.ConfirmDecision(ctx, form.Get("id"))
	return changed(Changed{Did: []string{d.Status + ": " + d.Title}, Commit: d.Commit, Back: "/memory?tab=decisions", Undo: true}), err
}
