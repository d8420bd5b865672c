package cite

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/internal/slice"
)

// Page returns the path, query and fragment of the page that shows a source: session content is on the page of the
// session, notes and rules are on the memory page, commits and documents on the repository page. Forge threads have
// their own URL. It returns "" for other sources. [Resolver.IDOfPage] is its inverse.
func (s Source) Page() string {
	id, err := Parse(s.ID)
	if err != nil {
		return s.URL
	}
	page, esc := url.URL{}, url.QueryEscape
	switch session := ofSession(id.Kind) && transcript.ValidSessionID(s.Session); {
	case id.Kind == KindTranscript:
		page.Path, page.Fragment = sessionPages+id.Name,
			strings.TrimSuffix(fmt.Sprintf("%s%d-%s", turnMark, id.Number, id.Fragment), "-")
	case session:
		page.Path, page.Fragment = sessionPages+s.Session, s.ID
	case id.Kind == KindRules:
		page.Path, page.RawQuery, page.Fragment = memoryPage, "tab=rules&file="+esc(id.Name), id.Fragment
	case id.Kind == KindMemory, id.Kind == KindDecision, id.Kind == KindTask, id.Kind == KindProfile, id.Kind == KindOrder,
		id.Kind == KindPlan, ofSession(id.Kind):
		page.Path, page.RawQuery = memoryPage, "tab=memory&id="+esc(s.ID)
	case id.Kind == KindCommit:
		page.Path, page.RawQuery = repoPage, "commit="+esc(id.Name)
	case id.Kind == KindBlame:
		page.Path, page.RawQuery = repoPage, "commit="+esc(id.Fragment)+"&file="+esc(id.Name)+"&lines="+id.lines()
	case id.Kind == KindDocument:
		page.Path, page.RawQuery, page.Fragment = repoPage, "file="+esc(id.Name), id.Fragment
	default:
		return s.URL
	}
	return page.String()
}

// SessionPage returns the path of a session's page.
func SessionPage(session string) string { return (&url.URL{Path: sessionPages + session}).String() }

// The paths of the pages.
const (
	sessionPages = "/sessions/"
	memoryPage   = "/memory"
	repoPage     = "/repos"
	turnMark     = "msg-" // prefix of the fragment of a turn, before its line
)

// ofSession reports whether sources of a kind belong to a session, if they name one.
func ofSession(k Kind) bool {
	return k == KindSession || k == KindIdea || k == KindObservation || k == KindPrompt
}

// IDOfPage returns the citation id of the content of a page, see [Source.Page]. For a session without a fragment this
// is its archive section or otherwise its first turn, for a rules file its first section. The error wraps ErrNotFound
// if there is no such content, and ErrUsage if the path is not that of a page.
func (r *Resolver) IDOfPage(page string) (string, error) {
	u, err := url.Parse(page)
	if err != nil || u.Scheme != "" || u.Host != "" {
		return "", notAPage(page)
	}
	q, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return "", notAPage(page)
	}
	session, isSession := strings.CutPrefix(u.Path, sessionPages)
	switch {
	case isSession:
		return r.ofSessionPage(session, u.Fragment, page)
	case u.Path == memoryPage && q.Get("tab") == "rules" && q.Get("file") != "":
		id := ID{Kind: KindRules, Name: q.Get("file"), Fragment: u.Fragment}
		if id.Fragment != "" || !strings.HasSuffix(id.Name, ".md") {
			return id.String(), nil
		}
		return r.firstUnit(page, AreaRules, func(u fileUnit) bool { return u.Path == id.Name })
	case u.Path == memoryPage && q.Get("tab") == "memory" && q.Get("id") != "":
		return q.Get("id"), nil
	case u.Path == repoPage && q.Get("commit") != "" && q.Get("file") != "":
		return fmt.Sprintf("%s:%s:%s@%s", KindBlame, q.Get("file"), q.Get("lines"), q.Get("commit")), nil
	case u.Path == repoPage && q.Get("commit") != "":
		return string(KindCommit) + ":" + q.Get("commit"), nil
	case u.Path == repoPage && q.Get("file") != "":
		return ID{Kind: KindDocument, Name: q.Get("file"), Fragment: u.Fragment}.String(), nil
	}
	return "", notAPage(page)
}

func notAPage(page string) error {
	return fmt.Errorf("%w: %.200q is no page of memory: expected a form such as /sessions/<id>, "+
		"/sessions/<id>#msg-<line>, /memory?tab=rules&file=<file> or /repos?commit=<sha>", messages.ErrUsage, page)
}

// ofSessionPage returns the citation id of a part of a session, or of the session as a whole.
func (r *Resolver) ofSessionPage(session, part, page string) (string, error) {
	if !transcript.ValidSessionID(session) {
		return "", notAPage(page)
	}
	turn, isTurn := strings.CutPrefix(part, turnMark)
	switch {
	case isTurn:
		line, block, hasBlock := strings.Cut(turn, "-")
		if hasBlock {
			line += "#" + block
		}
		return string(KindTranscript) + ":" + session + ":" + line, nil
	case part != "":
		if id, err := Parse(part); err != nil || !ofSession(id.Kind) {
			return "", notAPage(page)
		}
		return part, nil
	}
	id, err := r.firstUnit(page, AreaArchive, func(u fileUnit) bool {
		return u.Source == string(KindSession) && u.Session == session
	})
	if err == nil {
		return id, nil
	}
	file, _ := r.TranscriptFile(session) // "" if there is none
	f, noFile := r.Stores.Open(file)
	if noFile != nil {
		return "", err
	}
	defer f.Close()
	for m, bad := range transcript.NewReader(f, transcript.Position{}).All() {
		if bad == nil && m.Role == transcript.RoleUser {
			return ID{Kind: KindTranscript, Name: TranscriptName(file), Number: m.Line}.String(), nil
		}
	}
	return "", err
}

// firstUnit returns the citation id of the first unit in an area that is wanted.
func (r *Resolver) firstUnit(page string, area Area, wanted func(fileUnit) bool) (string, error) {
	for u, err := range r.unitsIn(func(f *File) bool { return f.Area == area }) {
		if err == nil && wanted(u) {
			return u.ID, nil
		}
	}
	return "", fmt.Errorf("%.200q: %w", page, ErrNotFound)
}

// bareRules resolves the older form of a rules id, which has only the file name without folder and .md. Without a
// heading it resolves to the first section. The file name must be unique.
func (r *Resolver) bareRules(id ID) (ID, error) {
	var found []string
	var first string
	called := func(f *File) bool { return f.Area == AreaRules && path.Base(f.Path) == id.Name+".md" }
	for u, err := range r.unitsIn(called) {
		if err == nil && !slices.Contains(found, u.Path) {
			found, first = append(found, u.Path), u.ID
		}
	}
	switch {
	case len(found) == 0:
		return id, fmt.Errorf("%s: %w", id, ErrNotFound)
	case len(found) > 1:
		names := strings.Join(slice.Map(found, r.Redactor.Path), ", ")
		reason := "several files of rules are called " + id.Name + ".md"
		return id, &messages.Refusal{Reason: reason, Advice: "name one of " + names, Err: ErrNotFound}
	case id.Fragment == "":
		return Parse(first)
	}
	id.Name = found[0]
	return id, nil
}
