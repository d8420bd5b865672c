package interchange

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// The limits of an import: bytes of a text, of a nested zip and of all texts, and the number of files.
const (
	maxText   = 4 << 20
	maxNested = 256 << 20
	maxTexts  = 256 << 20
	maxFiles  = 200_000
)

// File is a text file of an export of another tool.
type File struct {
	Path string // with slashes, relative to the export
	Data []byte
	Time time.Time
}

// ErrTooLarge means that an export exceeds the limits of one import.
var ErrTooLarge = errors.New("too large to import at once: import a part of it")

// Open reads the text files of a folder, of a zip or of one file. skipped lists the files that are not read, and
// why. Links are not followed.
func Open(name string) (files []File, skipped []string, err error) {
	s := &source{}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, nil, err
	case info.IsDir():
		err = s.folder(name)
	case !info.Mode().IsRegular():
		err = fmt.Errorf("%s is neither a folder nor a file", name)
	default:
		err = s.single(name, info)
	}
	return s.files, s.skipped, err
}

// source collects the files of an export.
type source struct {
	files   []File
	skipped []string
	names   int
	bytes   int64
}

func (s *source) skip(name, why string) { s.skipped = append(s.skipped, name+": "+why) }

// Mark is the name of the file in which an export lists the files that it wrote.
const Mark = ".gitmem-export.json"

// wanted reports by its name whether a file is a text or a zip to import.
func wanted(name string) (text, nested bool) {
	ext := strings.ToLower(path.Ext(name))
	return slices.Contains([]string{".md", ".markdown", ".csv", ".html", ".htm", ".jsonl"}, ext), ext == ".zip"
}

// add reads a file that a folder or a zip lists.
func (s *source) add(name string, mode fs.FileMode, at time.Time, open func() (io.ReadCloser, error)) error {
	if s.names++; s.names > maxFiles {
		return fmt.Errorf("it has more than %d files: %w", maxFiles, ErrTooLarge)
	}
	text, nested := wanted(name)
	hidden := slices.ContainsFunc(strings.Split(name, "/"), func(p string) bool { return strings.HasPrefix(p, ".") })
	switch {
	case path.Base(name) == Mark:
		return nil
	case !filepath.IsLocal(filepath.FromSlash(name)) || strings.Contains(name, `\`):
		s.skip(name, "its path leads out of the export")
		return nil
	case !mode.IsRegular():
		s.skip(name, "a link or a device, which is not followed")
		return nil
	case hidden:
		s.skip(name, "a hidden file")
		return nil
	case !text && !nested:
		s.skip(name, "no text: attachments stay where they are")
		return nil
	}
	most := int64(maxText)
	if nested {
		most = maxNested
	}
	f, err := open()
	if err != nil {
		s.skip(name, err.Error())
		return nil
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil:
		s.skip(name, err.Error())
	case int64(len(b)) > most:
		s.skip(name, fmt.Sprintf("it has more than %d MB", most>>20))
	case nested:
		return s.nested(name, b)
	default:
		return s.addText(name, b, at)
	}
	return nil
}

func (s *source) addText(name string, b []byte, at time.Time) error {
	b = bytes.ReplaceAll(bytes.TrimPrefix(b, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	if s.bytes += int64(len(b)); s.bytes > maxTexts {
		return fmt.Errorf("it has more than %d MB of text: %w", maxTexts>>20, ErrTooLarge)
	}
	if !utf8.Valid(b) || bytes.IndexByte(b, 0) >= 0 {
		s.skip(name, "no UTF-8 text")
		return nil
	}
	s.files = append(s.files, File{Path: strings.ToValidUTF8(name, "\uFFFD"), Data: b, Time: at})
	return nil
}

// folder reads the files below a folder, sorted by name.
func (s *source) folder(name string) error {
	root, err := os.OpenRoot(name)
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			s.skip(p, err.Error())
			return nil
		case d.IsDir() && p != "." && strings.HasPrefix(d.Name(), "."):
			s.skip(p, "a hidden folder")
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			s.skip(p, err.Error())
			return nil
		}
		return s.add(p, info.Mode(), info.ModTime(), func() (io.ReadCloser, error) { return root.Open(p) })
	})
}

// single reads a zip, or one file of text.
func (s *source) single(name string, info fs.FileInfo) error {
	if _, nested := wanted(name); !nested {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		b, err := io.ReadAll(io.LimitReader(f, maxTexts+1))
		if err != nil {
			return err
		}
		return s.addText(filepath.Base(name), b, info.ModTime())
	}
	z, err := zip.OpenReader(name)
	if err != nil {
		return fmt.Errorf("%s can't be read as a zip: %w", name, err)
	}
	defer z.Close()
	return s.zip(&z.Reader, true)
}

// nested reads a zip in a zip: large exports are split that way.
func (s *source) nested(name string, b []byte) error {
	if s.bytes += int64(len(b)); s.bytes > maxTexts {
		return fmt.Errorf("it has more than %d MB in zips: %w", maxTexts>>20, ErrTooLarge)
	}
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		s.skip(name, "it can't be read as a zip: "+err.Error())
		return nil
	}
	return s.zip(z, false)
}

func (s *source) zip(z *zip.Reader, outer bool) error {
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") {
			continue // a folder
		}
		if _, nested := wanted(f.Name); nested && !outer {
			s.skip(f.Name, "a zip in a zip in a zip")
			continue
		}
		if err := s.add(f.Name, f.Mode(), f.Modified, f.Open); err != nil {
			return err
		}
	}
	return nil
}
