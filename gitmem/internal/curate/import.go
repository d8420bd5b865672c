package curate

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/lint"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
	"github.com/gitmem/gitmem/gitmem/internal/tasks"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// Imported is the result of an import or of its dry run. The JSON form is a public contract.
type Imported struct {
	Done    []string `json:"done"`    // such as "set tools.editor Neovim"
	Known   int      `json:"known"`   // tasks, decisions and summaries that existed already
	Skipped []string `json:"skipped"` // what could not be read or kept, and why
}

// importSource is the source of imported values.
const importSource = "user-memory"

// importer is one import of the folder user-memory.
type importer struct {
	ed  *Editor
	dir string
	dry bool
	out Imported
}

// Import imports the files of an older memory from the folder user-memory below the client's folder, or from dir:
// profile.json with profile-meta.json, changelog.jsonl, and tasks, decisions and summaries of sessions/*.json, which go
// to the current project. It does not change existing entries, so a second import changes nothing. With dry it writes
// nothing. The error wraps ErrNotFound if the folder does not exist.
func (ed *Editor) Import(ctx context.Context, dir string, dry bool) (Imported, error) {
	im := &importer{ed: ed, dir: cmp.Or(dir, filepath.Join(ed.ws.ClientDir, "user-memory")), dry: dry,
		out: Imported{Done: []string{}, Skipped: []string{}}}
	if info, err := os.Stat(im.dir); err != nil || !info.IsDir() {
		return im.out, &messages.Refusal{Reason: im.dir + " is no folder", Advice: "name the folder that holds profile.json",
			Err: messages.ErrNotFound}
	}
	if !dry {
		if err := ed.ws.Writable(ctx); err != nil {
			return im.out, err
		}
	}
	err := im.profile(ctx)
	files, globErr := filepath.Glob(filepath.Join(im.dir, "sessions", "*.json"))
	for _, file := range files {
		err = errors.Join(err, im.session(ctx, file))
	}
	return im.out, errors.Join(err, globErr)
}

// read decodes a file. If that fails, it returns false and records the file as skipped.
func (im *importer) read(name string, into any) bool {
	b, err := os.ReadFile(filepath.Join(im.dir, name))
	if err == nil {
		err = json.Unmarshal(b, into)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		im.skip(name, err.Error())
	}
	return err == nil
}

func (im *importer) skip(what, why string) {
	im.out.Skipped = append(im.out.Skipped, messages.OneLine(im.ed.ws.Clean(what+": "+why), maxTask))
}

// profile imports the values with their confidence, and the changelog.
func (im *importer) profile(ctx context.Context) error {
	var values, meta map[string]any
	if !im.read("profile.json", &values) {
		return nil
	}
	im.read("profile-meta.json", &meta)
	for _, key := range []string{"preferences", "metadata", "meta"} { // some versions nest it
		if inner, ok := meta[key].(map[string]any); ok {
			meta = inner
		}
	}
	mentions := im.mentions("", values, meta)
	if im.dry {
		b := im.kept(profile.File)
		if len(b) == 0 {
			b = profile.Head(profile.File)
		}
		_, done, err := profile.Update(b, im.ed.ws.Options.Now(), mentions)
		im.out.Done = append(im.out.Done, done...)
		return err
	}
	did, err := im.ed.changeProfile(ctx, "", false, func(old []byte, _ string) ([]byte, []string, error) {
		text, done, err := profile.Update(old, im.ed.ws.Options.Now(), mentions)
		if len(done) > 0 {
			done = append(done, im.changelog(ctx)...)
		}
		return text, done, err
	})
	im.out.Done = append(im.out.Done, slices.DeleteFunc(did.Done, func(what string) bool {
		return strings.HasPrefix(what, importedChange)
	})...)
	return err
}

// importedChange is the prefix of imported changes in the audit trail.
const importedChange = "imported "

// mentions returns the values of a profile.json, each with its last mention.
func (im *importer) mentions(above string, values, meta map[string]any) (all []profile.Mention) {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		path := above + key
		if inner, ok := values[key].(map[string]any); ok {
			all = append(all, im.mentions(path+".", inner, meta)...)
			continue
		}
		list, ok := values[key].([]any)
		if !ok {
			list = []any{values[key]}
		}
		for _, v := range list {
			value, ok := v.(string)
			switch {
			case v == nil || ok && strings.TrimSpace(value) == "":
			case !ok || !profile.ValidPath(path):
				im.skip(path, "no value that a profile can hold")
			case im.ed.ws.Clean(value) != value:
				im.skip(path, "a secret")
			default:
				value = messages.OneLine(value, maxPreference)
				seen, sure := metaOf(meta, path+"."+value, path)
				all = append(all, profile.Mention{
					Time: im.timeOr(seen, filepath.Join(im.dir, "profile.json")), Source: importSource, By: answer.Imported,
					Confidence: sure, Changes: []profile.Change{{Path: path, Value: value}},
				})
			}
		}
	}
	return all
}

// metaOf returns the entry in profile-meta.json under the first existing key.
func metaOf(meta map[string]any, keys ...string) (seen string, confidence float64) {
	for _, key := range keys {
		if m, ok := meta[key].(map[string]any); ok {
			confidence, _ = m["confidence"].(float64)
			return text(m, "lastSeen", "last_seen", "lastMentioned", "lastUpdated", "updatedAt", "timestamp"), confidence
		}
	}
	return "", 0
}

// changelog returns the changes that the older memory recorded, or none if they were imported before.
func (im *importer) changelog(ctx context.Context) (lines []string) {
	log, err := im.ed.ProfileLog(ctx, 0)
	if err != nil || slices.ContainsFunc(log, func(c ProfileChange) bool {
		return strings.HasPrefix(c.Done, importedChange)
	}) {
		return nil
	}
	b, _ := os.ReadFile(filepath.Join(im.dir, "changelog.jsonl")) // it may not exist
	n := 0
	for line := range strings.Lines(string(b)) {
		n++
		var c map[string]any
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			im.skip(fmt.Sprintf("changelog.jsonl line %d", n), err.Error())
			continue
		}
		what := []string{strings.TrimSpace(importedChange), text(c, "timestamp", "time", "date"),
			text(c, "action", "op", "type"), text(c, "path", "field", "key"),
			text(c, "newValue", "new", "value", "oldValue", "old")}
		lines = append(lines, messages.OneLine(im.ed.ws.Clean(strings.Join(what, " ")), maxTask))
	}
	return lines
}

// session imports the tasks, the decisions and the summary of a session.
func (im *importer) session(ctx context.Context, file string) error {
	var s map[string]any
	name := filepath.Join("sessions", filepath.Base(file))
	if !im.read(name, &s) {
		return nil
	}
	at := im.timeOr(text(s, "startedAt", "startTime", "createdAt", "timestamp", "date"), file)
	err := im.tasks(ctx, s)
	err = errors.Join(err, im.decisions(ctx, s, at))
	id := cmp.Or(text(s, "sessionId", "session_id", "id"),
		strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "session-"), ".json"))
	if summary := text(s, "summary"); summary != "" {
		if !transcript.ValidSessionID(id) {
			im.skip(name, "its session has an id that none can have")
			return err
		}
		err = errors.Join(err, im.summary(ctx, id, at, summary))
	}
	return err
}

func (im *importer) tasks(ctx context.Context, s map[string]any) error {
	known, err := im.ed.Tasks(ctx, true)
	if err != nil {
		return err
	}
	for _, t := range objects(s["tasks"]) {
		c := tasks.Change{
			ID: taskID(text(t, "id", "taskId")), Title: text(t, "title", "task", "name", "description", "content"),
			State:  tasks.State(text(t, "status", "state")),
			Reason: messages.OneLine(text(t, "blockedBy", "blocked_by", "reason", "notes"), maxTask), By: answer.Imported,
		}
		c.Title = messages.OneLine(cmp.Or(c.Title, c.ID), maxTask)
		change, err := im.ed.taskChange(c)
		if err != nil {
			im.skip("a task", err.Error())
			continue
		}
		if slices.ContainsFunc(known, func(k Task) bool {
			return change.Means(tasks.Task{ID: strings.TrimPrefix(k.ID, "task:"), Title: k.Title})
		}) {
			im.out.Known++
			continue
		}
		im.did("task " + change.Title)
		if !im.dry {
			if _, err := im.ed.SetTask(ctx, c); err != nil {
				return err
			}
		}
	}
	return nil
}

func (im *importer) decisions(ctx context.Context, s map[string]any, at time.Time) error {
	p, err := im.ed.ws.Place(ctx)
	if err != nil {
		return err
	}
	known, err := im.ed.decisions(p)
	if err != nil {
		return err
	}
	for _, o := range objects(s["decisions"]) {
		d := Decision{Title: text(o, "decision", "title", "summary", "content"), Why: text(o, "rationale", "reason", "why"),
			Context: text(o, "context"), Alternatives: text(o, "alternatives"), Date: at, By: answer.Imported}
		if t, err := time.Parse(time.RFC3339, text(o, "timestamp", "time", "date", "createdAt")); err == nil {
			d.Date = t
		}
		if err := im.ed.checkDecision(ctx, &d); err != nil {
			im.skip("a decision", err.Error())
			continue
		}
		if slices.ContainsFunc(known, func(k decisionFile) bool { return lint.Same(cite.DecidedTitle(k.Title), d.Title) }) {
			im.out.Known++
			continue
		}
		im.did("decision " + d.Title)
		if im.dry {
			continue
		}
		if _, err := im.ed.Decide(ctx, d); err != nil {
			im.skip("a decision", err.Error())
		}
	}
	return nil
}

// summary writes a summary as a section of the archive.
func (im *importer) summary(ctx context.Context, id string, at time.Time, summary string) error {
	p, err := im.ed.ws.Place(ctx)
	if err != nil {
		return err
	}
	if !im.dry {
		if p, err = im.ed.notePlace(ctx); err != nil {
			return err
		}
	}
	rel, day := archive.File(p.Project.Dir, at), at.UTC().Format(time.DateOnly)
	if archive.Find(im.kept(rel), id).Sections > 0 {
		im.out.Known++
		return nil
	}
	im.did("summary of session " + transcript.ShortID(id))
	if im.dry {
		return nil
	}
	_ = im.ed.src.KeepRewritten(ctx, rel)
	_, err = im.ed.ws.RewriteText(ctx, rel, func(old []byte) ([]byte, error) {
		if len(old) == 0 {
			old = []byte(archive.Header(p.Project.ID, day))
		}
		d := transcript.Digest{Session: id, Start: at, End: at,
			Outcome: transcript.Quote{Text: im.ed.ws.Clean(summary), Time: at}}
		return append(slices.Clip(old), archive.Section(d, nil, archive.Find(old, id), "", archive.MarkOf(""), day)...), nil
	})
	if err == nil {
		_, err = im.ed.commit(ctx, append([]string{rel}, p.Project.Files()...), "archive: session "+transcript.ShortID(id)+
			" of an older memory", "the summary is in "+rel+" but is", "archive")
	}
	return err
}

// kept returns the content of a file of memory, or nil if it does not exist.
func (im *importer) kept(rel string) []byte {
	if im.ed.ws.Store == nil {
		return nil
	}
	b, _ := im.ed.ws.Store.Read("", rel) // writing it reports the error
	return b
}

func (im *importer) did(what string) { im.out.Done = append(im.out.Done, im.ed.ws.Clean(what)) }

// timeOr parses a time as JSON has it, or returns the modification time of a file.
func (im *importer) timeOr(s, file string) time.Time {
	if t, err := time.Parse(time.RFC3339, s); err == nil && !t.After(im.ed.ws.Options.Now()) {
		return t
	}
	if info, err := os.Stat(file); err == nil && !info.ModTime().After(im.ed.ws.Options.Now()) {
		return info.ModTime().UTC()
	}
	return im.ed.ws.Options.Now()
}

// objects returns the objects of a list, or the values of an object with their keys as ids. A string becomes an object
// with that content.
func objects(v any) (out []map[string]any) {
	add := func(id string, v any) {
		switch v := v.(type) {
		case map[string]any:
			if _, ok := v["id"]; !ok && id != "" {
				v["id"] = id
			}
			out = append(out, v)
		case string:
			out = append(out, map[string]any{"content": v})
		}
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			add("", item)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			add(key, v[key])
		}
	}
	return out
}

// text returns the first of the fields that contains a text or a list of texts.
func text(m map[string]any, keys ...string) string {
	for _, key := range keys {
		switch v := m[key].(type) {
		case string:
			if v = strings.TrimSpace(v); v != "" {
				return v
			}
		case []any:
			var parts []string
			for _, item := range v {
				if s, ok := item.(string); ok {
					parts = append(parts, s)
				}
			}
			if len(parts) > 0 {
				return strings.Join(parts, ", ")
			}
		}
	}
	return ""
}
