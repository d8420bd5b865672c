// Package diffterms says what a change does, from the texts before and after it:
// the words that it adds and removes, and one line for people.
//
// It knows how declarations look in common languages, but it parses none of them,
// and it knows nothing of repositories, of who made the change or of what they
// wrote about it. All of its output comes from the texts.
package diffterms

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/markdown/linediff"
)

// File is one file that a change touches.
type File struct {
	// Path has slashes. From is what a renamed file was called before.
	Path, From string
	// Op is 'A' for added, 'D' for removed, 'M' for anything else, also for a
	// renamed file.
	Op byte
	// Old and New are the contents, nil where there is none or it is not
	// compared; Hunks lead from one to the other.
	Old, New []byte
	Hunks    []linediff.Hunk
	// Opaque says that there is content that can't be compared: it is binary or
	// too large.
	Opaque bool
	// Mode says that nothing but the file's mode or type changed.
	Mode bool
}

// Result is what a change does. See the fields of the same names of an item of
// package providers.
type Result struct {
	// Words are identifiers and words in changed lines, each once, the telling
	// ones first, separated by spaces: at most 400 and 8 KB.
	Words string
	// Summary is one line of at most 160 characters: valid UTF-8 without control
	// characters; empty for a change that touches no file.
	Summary string
}

// Reader reads one change after the other, file by file. The zero value is ready
// for the first change. It is not safe for concurrent use and keeps none of the
// bytes that it is handed.
type Reader struct {
	// Hide returns a text without its secrets, with as many line ends:
	// words lose what shows that they are secret. Where it is nil, nothing is hidden.
	Hide func(text string) string

	languages map[string]*language // by the extensions that were met

	hunks   []linediff.Hunk // of the file, hidden
	files   []file
	folders []folder
	words   words
}

// file is what is kept of a file for the summary.
type file struct {
	path, from     string
	op             byte
	added, removed int
	content        content
	mode           bool
	names          []name // declarations that the change touches
	edit           string // "old → new" for a single word in a single line
}

// folder is a folder that a change adds or removes with everything in it.
type folder struct {
	path string // ends with a slash
	op   byte
}

// maxFolders bounds the folders of a change that are kept.
const maxFolders = 32

// Folder notes a folder that is added ('A') or removed ('D') whole; those inside of
// it come after it and are not needed. Its files are handed to File like all
// others.
func (r *Reader) Folder(path string, op byte) {
	path = strings.TrimSuffix(path, "/") + "/"
	inside := slices.ContainsFunc(r.folders, func(f folder) bool { return f.op == op && strings.HasPrefix(path, f.path) })
	if !inside && len(r.folders) < maxFolders {
		r.folders = append(r.folders, folder{path, op})
	}
}

// File reads the next file of the change.
func (r *Reader) File(f *File) {
	added, removed := linediff.Counts(f.Hunks)
	kept := file{
		path: f.Path, from: f.From, op: f.Op, added: added, removed: removed,
		content: contentOf(f), mode: f.Mode,
	}
	shown := f
	if kept.content != vendored {
		shown = r.hidden(f)
	}
	if kept.content == handwritten || kept.content == testing {
		kept.names = declared(shown, r.languageOf(f.Path))
		r.words.file(shown, kept.names)
	}
	if !f.Opaque && f.Op == 'M' && kept.content != vendored {
		kept.edit = singleEdit(shown.Hunks)
	}
	r.files = append(r.files, kept)
}

// Result ends the change and makes the reader ready for the next one.
func (r *Reader) Result() Result {
	out := Result{Words: r.words.choose(), Summary: summary(r.files, r.folders)}
	clear(r.files)
	r.files, r.folders = r.files[:0], r.folders[:0]
	r.words.reset()
	return out
}
