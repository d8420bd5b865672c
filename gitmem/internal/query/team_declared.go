package query

import (
	"bytes"
	"context"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/deadline"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/providers/git"
)

const (
	// declaredTime limits the search for a name in the files of the current commit.
	declaredTime = 200 * time.Millisecond
	// originTime limits the search for the commit that first wrote it.
	originTime = 500 * time.Millisecond
	// largestSource is the largest source file that is searched for declarations, in bytes.
	largestSource = 1 << 20
)

var besideCode = lazy.Pattern(`(?i)(^|[/_.-])(tests?|testdata|spec|__tests__|fixtures|examples?|vendor|third_party` +
	`|node_modules|docs?)([/_.-]|$)`)

// Declaration is the location at which the current commit declares a name, and its first commit.
type Declaration struct {
	Place  string // a/b.go:12, or the path of a file of that name
	Commit string // citation id of the commit that first wrote it, "" if unknown
}

// FindDeclaration finds the file of the current commit that declares a name, or has that name, and the commit that
// first wrote it.
func (v *View) FindDeclaration(ctx context.Context, name string) (d Declaration, ok bool) {
	repo, err := v.Reader.ws.Repository(v.Place)
	if err != nil || repo == nil || v.InScope != nil && !v.InScope(v.Place.Project.ID) {
		return d, false
	}
	entries, err := repo.List("HEAD", "")
	if err != nil {
		return d, false
	}
	search, stop := deadline.After(ctx, v.Reader.ws.Options.Now, declaredTime)
	defer stop()
	beside := besideCode()
	var last []git.Entry // tests, examples and vendored copies
	entries = slices.DeleteFunc(entries, func(e git.Entry) bool {
		secondary := beside.MatchString(e.Path)
		if secondary {
			last = append(last, e)
		}
		return secondary
	})
	entries = slices.DeleteFunc(append(entries, last...), func(e git.Entry) bool {
		return e.Mode&0o170000 != ingest.ModeOfFile
	})
	called := slices.DeleteFunc(slices.Clone(entries), func(e git.Entry) bool { return !hasName(e.Path, name) })
	place, line := "", 0
	if path.Ext(name) == "" || len(called) == 0 { // otherwise it is the name of a file
		place, line = v.findInFiles(search, repo, entries, name[strings.LastIndexAny(name, ".:")+1:])
	}
	switch {
	case place != "":
	case len(called) == 1:
		place = called[0].Path
	default: // none, or ambiguous
		return d, false
	}
	if v.Reader.src.SecretName(place) || v.Reader.ws.Redactor.Path(place) != place {
		return d, false
	}
	d.Place = place
	if line > 0 {
		d.Place += ":" + strconv.Itoa(line)
	}
	d.Commit = v.origin(ctx, repo, place, line)
	return d, true
}

// origin returns the citation id of the commit that first wrote a file of HEAD, or one of its lines if line is given;
// "" if that takes too long.
func (v *View) origin(ctx context.Context, repo *git.Repository, place string, line int) (id string) {
	ctx, stop := deadline.After(ctx, v.Reader.ws.Options.Now, originTime)
	defer stop()
	found := func(c git.Commit, err error) {
		if id = string(cite.KindCommit) + ":" + c.Hash; err != nil {
			id = ""
		}
	}
	if line == 0 {
		for c, err := range repo.FollowPath(ctx, "HEAD", place, false) {
			found(c.Commit, err)
		}
		return id
	}
	for c, err := range repo.LineLog(ctx, "HEAD", place, line, line) {
		found(c.Commit, err)
	}
	return id
}

// findInFiles returns the first file that declares a name at top level, or else the first one that declares it within
// something; "" if there is none.
func (v *View) findInFiles(ctx context.Context, repo *git.Repository, entries []git.Entry,
	name string) (place string, line int) {
	form := declarationOf(name)
	for _, e := range entries {
		if ctx.Err() != nil {
			return place, line
		}
		if isProse(e.Path) {
			continue
		}
		if disk, ok := v.Reader.OnDisk(v.Place, e.Path); ok && !bytes.Contains(disk, []byte(name)) {
			continue // much faster to read than packed objects
		}
		body, err := repo.Content(e)
		if err != nil || len(body) > largestSource || !bytes.Contains(body, []byte(name)) {
			continue
		}
		for _, at := range form.FindAllIndex(body, -1) {
			within := body[at[0]] == ' ' || body[at[0]] == '\t'
			if !within || place == "" {
				place, line = e.Path, 1+bytes.Count(body[:at[0]], []byte("\n"))
			}
			if !within {
				return place, line
			}
		}
	}
	return place, line
}

// declarationOf matches the lines that declare a name in common languages: after a keyword, after a type as in C, after
// a modifier as in Java, or as an assigned constant.
func declarationOf(name string) *regexp.Regexp {
	const (
		seen = `(?:export|default|pub(?:\([^)\n]*\))?|public|private|protected|internal|static|async|abstract|final|unsafe` +
			`|inline|override|virtual|declare|sealed|data)[ \t]+`
		words = `(?:func(?:[ \t]*\([^)\n]*\))?|function|class|def|fn|type|struct|interface|const|var|let|module|trait|enum` +
			`|macro_rules!|protocol|record|object|namespace|#define)[ \t]+(?:self\.)?`
	)
	name = regexp.QuoteMeta(name)
	return regexp.MustCompile(`(?m)^(?:[ \t]*(?:` + seen + `)*` + words + name + `\b|[ \t]*(?:` + seen +
		`)+(?:[\w<>\[\],?]+[ \t]+)*` + name + `\(|(?:[A-Za-z_]\w*[ \t*]+)+` + name + `\([^;\n]*$|` + name +
		`[ \t]*(?::[^=\n]*)?=[^=])`)
}

// isProse reports whether a file contains prose, which has no declarations.
func isProse(p string) bool {
	return slices.Contains([]string{".md", ".rst", ".adoc", ".txt"}, strings.ToLower(path.Ext(p)))
}

// hasName reports whether a path is a file or folder of a name, with or without its extension.
func hasName(p, name string) bool {
	base := path.Base(p)
	return strings.HasSuffix("/"+p, "/"+name) || strings.EqualFold(strings.TrimSuffix(base, path.Ext(base)), name)
}
