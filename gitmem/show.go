package gitmem

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

// Show looks a citation id up. What config.yaml excludes, and what was said while
// capture was paused, is not shown: the error is a [Refusal] that wraps ErrNotFound.
func (m *Memory) Show(ctx context.Context, id string) (Source, error) { return m.ShowAsOf(ctx, id, "") }

// ShowAsOf looks a citation id up in what was recorded at a moment, see [Filter].AsOf.
// What can't be known of it is told through Options.Warn.
func (m *Memory) ShowAsOf(ctx context.Context, id, asOf string) (Source, error) {
	m.rules = nil // a Memory may be open for long
	src, err := m.lookUp(ctx, id, asOf)
	if err != nil {
		return Source{}, err
	}
	return m.showable(src)
}

// showable refuses a source that a search leaves out.
func (m *Memory) showable(src Source) (Source, error) {
	rule, paused := "", false
	switch kind := cite.Kind(src.Source); {
	case kind == cite.KindTranscript || kind == cite.KindPrompt:
		if err := m.policy().err; err != nil {
			return Source{}, fmt.Errorf("%s can't be shown while it is not known what is excluded: %w", src.ID, err)
		}
		rule, _ = m.excludedRecord(src.Project, m.projectName(src.Path))
		_, paused = m.pausedRecord(src.Project, src.Time)
	case kind == cite.KindPlan:
		rule, paused = m.withheldPlan(src.Time)
	case src.Layer == cite.LayerMemory || src.Layer == cite.LayerSummaries:
		rule, _ = m.excludedMemory(src.Path, src.Project)
	}
	switch {
	case rule != "":
		return Source{}, &Refusal{Reason: fmt.Sprintf("%s is excluded by the rule %q in %s", src.ID, rule, m.configFile()), Err: ErrNotFound,
			Advice: "what is excluded is neither searched nor shown; take the rule out of the file to see it"}
	case paused:
		return Source{}, &Refusal{Reason: src.ID + " was said while capture was paused", Err: ErrNotFound,
			Advice: "what was said meanwhile is neither searched nor shown"}
	}
	return src, nil
}

// projectName is the client's name of the folder that a transcript belongs to, "" for
// another file.
func (m *Memory) projectName(file string) string {
	for _, root := range []string{filepath.Join(m.client, "projects"), m.keptDir()} {
		rel, err := filepath.Rel(root, file)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		if name, _, nested := strings.Cut(filepath.ToSlash(rel), "/"); nested {
			return name
		}
	}
	return ""
}
