package cite

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
	"github.com/gitmem/gitmem/gitmem/internal/tasks"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/providers/docs"
)

// The layers of evidence for answers, strongest first for "how".
const (
	LayerRules       = "rules"
	LayerMemory      = "memory"
	LayerSummaries   = "summaries" // sections and ideas of the session archive, and summaries in session logs
	LayerTranscripts = "transcripts"
	LayerTeam        = "team"
)

// Layers returns all layers.
func Layers() []string {
	return []string{LayerRules, LayerMemory, LayerSummaries, LayerTranscripts, LayerTeam}
}

// Area is the part of memory that a Markdown file belongs to. It determines how the file is split into units.
type Area int

// The areas of memory with citable text.
const (
	AreaNone         Area = iota // not citable, such as identity files
	AreaRules                    // CLAUDE.md and .claude/rules of a repository or a user
	AreaMemory                   // the client's MEMORY.md and its topic files
	AreaArchive                  // the dated session archive
	AreaDecision                 // one file per decision
	AreaTasks                    // tasks.md
	AreaObservations             // one log per session
	AreaPlan                     // a plan that the client wrote
	AreaProfile                  // the user's profile and standing orders
)

// AreaOf returns the area of a file of the store by its slash-separated path below the root.
func AreaOf(rel string) Area {
	if rel == profile.File {
		return AreaProfile
	}
	parts := strings.Split(rel, "/")
	if parts[0] == "projects" && len(parts) >= 4 && parts[2] == "memory" {
		return AreaMemory
	}
	if len(parts) < 4 || parts[0] != "gitmem" || parts[1] != "projects" {
		return AreaNone
	}
	base := parts[len(parts)-1]
	dir := parts[len(parts)-2]
	switch {
	case base == tasks.File:
		return AreaTasks
	case base == profile.OrdersFile:
		return AreaProfile
	case dir == "decisions":
		return AreaDecision
	case len(parts) > 5 && parts[len(parts)-3] == "sessions":
		return AreaArchive
	case len(parts) > 5 && parts[len(parts)-3] == "observations":
		return AreaObservations
	}
	return AreaNone
}

// File is a Markdown file that contains units.
type File struct {
	Path    string // slash-separated; shown and, for rules, cited
	Area    Area
	Project string    // project id, "" for files without a project
	Time    time.Time // modification time; zero if the text determines the time
}

// Unit is one citable piece of a Markdown file.
type Unit struct {
	ID      string
	Layer   string
	Source  string // rules, memory, session, idea, decision, task, profile, observation
	Type    string // decision, feature, fix …, "" if unknown
	Intent  string // intent of an idea in lower case (decision, bug, lesson …), "" for other units
	Title   string
	Text    string // verbatim, not yet redacted
	Line    int    // 1-based line of the first byte of Text
	Session string
	Time    time.Time // zero if the file has no date
	Span    markdown.Span
	// Confidence and Turn describe ideas: the confidence from 0 to 1, and the line of the session's transcript that it
	// comes from, 0 if unknown.
	Confidence float64
	Turn       int
	Until      time.Time           // of a session's section: the minute of the last message that it covers
	Done       *bool               // state of the checkbox of an idea or task, nil if it has none
	Relations  []markdown.Relation // of an idea
	Tags       []string            // after an idea, without "#"
	Heading    string              // citation id of the heading above an idea or a topic
	State      string              // of a task, a decision or an archive entry that was taken back
	By         answer.Trust        // declared author, or ""
	ByModel    []int               // 1-based lines of Text that a model wrote
}

// BlockID returns the id by which relations name an entry of the archive, or "" if it has none.
func (u Unit) BlockID() string {
	id, _ := Parse(u.ID) // the zero id on an error
	return cmp.Or(id.Fragment, id.Name)
}

// Holds reports whether a decision is in force or still proposed.
func (u Unit) Holds() bool {
	return u.State != "superseded" && u.State != "rejected" && u.State != "deprecated"
}

// Units splits a file into its citable pieces, in file order. It returns a skip for each part that it cannot parse.
func Units(f File, src []byte) ([]Unit, []markdown.Skip) {
	switch f.Area {
	case AreaRules, AreaMemory, AreaPlan, AreaDecision: // Markdown written by people
		src = markdown.WithoutComments(src)
	}
	d := markdown.Parse(src)
	skips := d.Skipped
	switch f.Area {
	case AreaRules, AreaMemory, AreaPlan:
		return sectionUnits(f, d), skips
	case AreaArchive:
		return archiveUnits(d), skips
	case AreaDecision:
		return decisionUnits(f, d), skips
	case AreaTasks:
		return taskUnits(d), skips
	case AreaProfile:
		return profileUnits(f, src), skips
	case AreaObservations:
		units, bad := observationUnits(d)
		return units, append(skips, bad...)
	}
	return nil, skips
}

// sectionUnits makes one unit for the text of each heading and one for the text before the first heading. They have the
// date of the file. Equal headings get the suffixes -1, -2 … as on forges.
func sectionUnits(f File, d *markdown.Doc) []Unit {
	var units []Unit
	if f.Time.IsZero() {
		f.Time = d.Front.Day("date")
	}
	add := func(slug, title string, span markdown.Span, line int) {
		text := string(span.Of(d.Source))
		if strings.TrimSpace(text) == "" {
			return
		}
		kind, layer, _ := sectionsOf(f)
		u := Unit{
			ID: SectionID(f, slug), Layer: layer, Source: string(kind),
			Title: title, Text: text, Line: line, Span: span, Time: f.Time,
		}
		if f.Area == AreaMemory {
			u.ByModel = ModelLines(text, OriginSession(d) != "" && path.Base(f.Path) != "MEMORY.md")
			u.By = byOther(d.Front.Field("by"))
		}
		units = append(units, u)
	}
	end := d.Body.End
	if len(d.Sections) > 0 {
		end = d.Sections[0].Heading.Start
	}
	add("", fileTitle(f, d), markdown.Span{Start: d.Body.Start, End: end}, lineAt(d.Source, d.Body.Start))
	anchors := d.Anchors()
	for i, s := range d.Sections {
		add(anchors[i], strings.Join(s.Path, " › "), s.Body, below(d, s))
	}
	return units
}

// SectionID returns the citation id of a section of a rules, plan or memory file by its anchor: rules:<file>#<slug>,
// plan:<file>#<slug> or memory:<project>[/<topic file>]#<slug>.
func SectionID(f File, slug string) string {
	kind, _, name := sectionsOf(f)
	return ID{Kind: kind, Name: name, Fragment: slug}.String()
}

// sectionsOf returns the kind and the layer of the sections of a rules, plan or memory file, and the file's name in
// their ids.
func sectionsOf(f File) (kind Kind, layer, name string) {
	switch f.Area {
	case AreaPlan:
		return KindPlan, LayerMemory, strings.TrimPrefix(f.Path, "~/plans/")
	case AreaRules:
		return KindRules, LayerRules, f.Path
	}
	if base := path.Base(f.Path); base != "MEMORY.md" {
		return KindMemory, LayerMemory, f.Project + "/" + base
	}
	return KindMemory, LayerMemory, f.Project
}

// fileTitle returns the description or name in the frontmatter of a topic file, otherwise its base name.
func fileTitle(f File, d *markdown.Doc) string {
	for _, key := range []string{"description", "name", "title"} {
		if v := d.Front.Field(key); v != "" {
			return v
		}
	}
	return strings.TrimSuffix(path.Base(f.Path), ".md")
}

// archiveUnits makes one unit for each session section and one for each idea in it.
func archiveUnits(d *markdown.Doc) []Unit {
	day := d.Front.Day("date")
	date := d.Front.Field("date")
	if !day.IsZero() {
		date = day.Format(time.DateOnly)
	}
	var units []Unit
	sessions := sessionsOf(d, day)
	heading := func(n int) string {
		return ID{Kind: KindSession, Name: date, Fragment: d.Sections[n].ID}.String()
	}
	for n, s := range d.Sections {
		span := markdown.Span{Start: s.Heading.End, End: s.Span.End}
		text := string(span.Of(d.Source))
		u := Unit{
			ID: heading(n), Layer: LayerSummaries, Source: string(KindSession), Title: s.Title, Text: text,
			Line: below(d, s), Span: span,
			Session: sessions[n].Session, Time: sessions[n].Start,
		}
		switch {
		case s.Level == 2 && strings.HasPrefix(s.ID, "s-"):
			u.Until = sessions[n].End
		case s.Level > 2 && strings.HasPrefix(s.ID, "t-"):
			u.Source, u.Title, u.Text = SourceTopic, topicTitle(s.Title), withoutHead(text)
			u.Span.End = span.Start + len(u.Text)
			if s.Parent >= 0 {
				u.Heading = heading(s.Parent)
			}
		default:
			continue
		}
		units = append(units, u)
	}
	for _, i := range d.Ideas {
		if i.ID == "" || i.Section < 0 {
			continue
		}
		units = append(units, ideaUnit(i, Unit{
			Title: topicOf(d, i.Section), Line: i.Line, Span: i.Span,
			Session: sessions[i.Section].Session, Time: sessions[i.Section].Start,
			Heading: heading(i.Section),
		}))
	}
	return markTakenBack(units)
}

// markTakenBack sets the state of units that a later section withdraws.
func markTakenBack(units []Unit) []Unit {
	var withdrawn []string
	for _, u := range units {
		for _, r := range u.Relations {
			if id := r.ID(); id != "" && r.Kind == markdown.RelationWithdraws {
				withdrawn = append(withdrawn, id)
			}
		}
	}
	for i, u := range units {
		if slices.Contains(withdrawn, u.BlockID()) {
			units[i].State = StateTakenBack
		}
	}
	return units
}

// ideaUnit returns the unit of an idea; at contains its position.
func ideaUnit(i markdown.Idea, at Unit) Unit {
	at.ID, at.Layer, at.Source, at.Type = IdeaID(i.ID), LayerSummaries, string(KindIdea), markdown.TypeOf(i.Intent)
	at.Intent, at.Text, at.Confidence, at.Turn = i.Intent, i.Text, i.Refs.Confidence, i.Refs.Line
	at.Done, at.Relations, at.Tags = i.Done, i.Relations, i.Tags
	switch i.Refs.By {
	case "":
	case "me":
		at.By = answer.Mine
	default:
		at.By = answer.Untrusted
	}
	return at
}

// lineRange matches the range of transcript lines in a topic's heading.
var lineRange = lazy.Pattern(` \(L\d+–L\d+\)$`)

// topicTitle returns a heading without the range of transcript lines, as "(L12–L180)".
func topicTitle(heading string) string { return lineRange().ReplaceAllString(heading, "") }

// topicOf returns the topic of the ideas below a heading, with its parent topic.
func topicOf(d *markdown.Doc, n int) string {
	title, parent := topicTitle(d.Sections[n].Title), d.Sections[n].Parent
	if parent >= 0 && d.Sections[parent].Level > 2 {
		return topicTitle(d.Sections[parent].Title) + " › " + title
	}
	return title
}

// SourceTopic is the source of units that are topics of a session.
const SourceTopic = "topic"

// withoutHead removes the head of the session's section, which is below the last topic, from the text of a topic.
func withoutHead(text string) string {
	lines := strings.SplitAfter(text, "\n")
	bare := slice.Map(lines, func(line string) string { return strings.TrimRight(line, "\r\n") })
	if from, to := HeadLines(bare); to > from {
		return strings.Join(lines[:from], "")
	}
	return text
}

// sessionsOf returns, for each section of a day's file, the head of the session section that contains it. Other
// sections get a head with only the day.
func sessionsOf(d *markdown.Doc, day time.Time) []SessionHead {
	heads := make([]SessionHead, len(d.Sections))
	for n := range d.Sections {
		switch root := topSection(d, n); {
		case root == n:
			s := d.Sections[root]
			heads[n] = ReadHead(day, string(markdown.Span{Start: s.Heading.End, End: s.Span.End}.Of(d.Source)))
		case root >= 0:
			heads[n] = heads[root]
		default:
			heads[n].Start = day
		}
	}
	return heads
}

func topSection(d *markdown.Doc, i int) int {
	for i >= 0 && d.Sections[i].Level > 2 {
		i = d.Sections[i].Parent
	}
	return i
}

func decisionUnits(f File, d *markdown.Doc) []Unit {
	id := d.Front.Field("id")
	if id == "" {
		id = strings.TrimSuffix(path.Base(f.Path), ".md")
	}
	title := id
	if len(d.Sections) > 0 {
		title = d.Sections[0].Title
	}
	status := d.Front.Field("status")
	if status = cmp.Or(docs.Status(status), status); status != "" && status != "accepted" {
		title += " (" + status + ")"
	}
	return []Unit{{
		ID: ID{Kind: KindDecision, Name: id}.String(), Layer: LayerMemory, Source: string(KindDecision),
		Type: "decision", Title: title, Text: string(d.Body.Of(d.Source)), Session: d.Front.Field("session"),
		Line: lineAt(d.Source, d.Body.Start), Time: d.Front.Day("date"), Span: d.Body, State: status,
		By: byOther(d.Front.Field("by")),
	}}
}

func taskUnits(d *markdown.Doc) []Unit {
	var units []Unit
	for _, t := range tasks.Read(d) {
		done := !t.Open()
		title := "task (open)"
		if t.State != tasks.Pending {
			title = "task (" + t.State + ")"
		}
		units = append(units, Unit{
			ID: ID{Kind: KindTask, Name: t.ID}.String(), Layer: LayerMemory, Source: string(KindTask),
			Title: title, Text: t.Text(), Line: t.Line(), Span: t.Span(), Done: &done, State: t.State, By: t.By,
		})
	}
	return units
}

// profileUnits makes one unit for each value of the profile: the value, and the user's own words for it.
func profileUnits(f File, src []byte) []Unit {
	kind := KindProfile
	if f.Path != profile.File {
		kind = KindOrder
	}
	p, err := profile.Read(src)
	if err != nil { // the document's skips report the frontmatter
		return nil
	}
	var units []Unit
	for _, e := range p.Entries {
		units = append(units, Unit{
			ID: ID{Kind: kind, Name: e.Path}.String(), Layer: LayerMemory, Source: string(KindProfile),
			Title: e.Title(), Text: cmp.Or(e.Said, e.Value), Line: e.Line, Time: e.LastSeen, Confidence: e.Confidence,
			Span: linesAt(src, e.Line), By: e.By,
		})
	}
	return units
}

// ProfileLines returns the lines of a profile that contain values or their metadata.
func ProfileLines(src []byte) (spans []markdown.Span) {
	p, err := profile.Read(src)
	if err != nil {
		return nil
	}
	for _, e := range p.Entries {
		for _, line := range []int{e.Line, e.MetaLine} {
			if line > 0 {
				spans = append(spans, linesAt(src, line))
			}
		}
	}
	return spans
}

// linesAt returns the span of a 1-based line of a text without its line end, or an empty span for line 0.
func linesAt(src []byte, line int) (span markdown.Span) {
	n := 0
	for l := range bytes.Lines(src) {
		if n++; n == line {
			return markdown.Span{Start: span.Start, End: span.Start + len(bytes.TrimRight(l, "\r\n"))}
		}
		span.Start += len(l)
	}
	return markdown.Span{}
}

// onDay returns the time on a day that a text gives, or the day and false if it gives none.
func onDay(day time.Time, layout, text string) (time.Time, bool) {
	t, err := time.Parse(layout, text)
	return day.Add(t.Sub(time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC))), err == nil
}

// lineAt returns the 1-based line of an offset.
func lineAt(src []byte, pos int) int { return bytes.Count(src[:pos], []byte{'\n'}) + 1 }

// below returns the line after a section's heading.
func below(d *markdown.Doc, s markdown.Section) int {
	return s.Line + bytes.Count(s.Heading.Of(d.Source), []byte{'\n'})
}

// IdeaID returns the citation id of an idea with a block id.
func IdeaID(block string) string { return ID{Kind: KindIdea, Name: block}.String() }

// intentMark separates the source from the intent in an idea's role.
const intentMark = ":"

// Role returns the role of a unit in the index. For an idea it includes the intent, so that queries can filter by it.
func (u Unit) Role() string {
	if u.State == StateTakenBack {
		return u.State
	}
	if u.Intent == "" {
		return u.Source
	}
	return u.Source + intentMark + u.Intent
}

// CutRole splits a role into source and intent; intent is "" if it has none.
func CutRole(role string) (source, intent string) {
	source, intent, _ = strings.Cut(role, intentMark)
	return source, intent
}
