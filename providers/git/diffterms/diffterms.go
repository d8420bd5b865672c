// Package diffterms describes a change from the texts before and after it: the words that it adds and
// removes, and a one-line summary.
//
// It knows how declarations look in common languages, but it parses none of them. It must not know
// repositories, authors or commit messages: all of its output comes from the texts.
package diffterms

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/markdown/linediff"
)

// File is one file that a change touches.
type File struct {
	// Path is slash-separated. From is the former name of a renamed file.
	Path, From string
	// Op is 'A' for added, 'D' for removed, 'M' for anything else, including renamed.
	Op byte
	// Old and New are the contents, nil if there is none or it is not compared; Hunks are the differences
	// between them.
	Old, New []byte
	Hunks    []linediff.Hunk
	// Opaque is set if there is content that can't be compared: it is binary or too large.
	Opaque bool
	// Mode is set if only the mode or type of the file changed.
	Mode bool
}

// Result describes a change. An item of package providers has its fields as Words and Gist.
type Result struct {
	// Words are identifiers and words in changed lines, each once, the most significant first, separated by
	// spaces: at most 400 and 8 KB.
	Words string
	// Summary is one line of at most 160 characters: valid UTF-8 without control characters; empty for a change
	// that touches no file.
	Summary string
}

// Reader reads one change after another, file by file. The zero value is ready for the first change. It is
// not safe for concurrent use and does not retain the bytes that it is given.
type Reader struct {
	// Hide returns a text without its secrets, with the same number of line ends. It gets whole lines, because
	// single words no longer show that they are secret. If it is nil, nothing is hidden.
	Hide func(text string) string

	languages map[string]*language // by file extension

	hunks   []linediff.Hunk // hunks of the file, without secrets
	files   []file
	folders []folder
	words   words
}

// file is the data about a file that the summary needs.
type file struct {
	path, from     string
	op             byte
	added, removed int
	content        content
	mode           bool
	names          []name // declarations that the change touches
	edit           string // "old → new" for a single word in a single line
}

// folder is a folder that a change adds or removes as a whole.
type folder struct {
	path string // ends with a slash
	op   byte
}

// maxFolders limits the folders that are kept per change.
const maxFolders = 32

// Folder records a folder that is added ('A') or removed ('D') as a whole. Its subfolders are not needed and
// may only follow it. Its files are passed to File like all others.
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

// Result returns the result of the change and resets the reader for the next one.
func (r *Reader) Result() Result {
	out := Result{Words: r.words.choose(), Summary: summary(r.files, r.folders)}
	clear(r.files)
	r.files, r.folders = r.files[:0], r.folders[:0]
	r.words.reset()
	return out
}
