package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// longPath is the length relative to the root above which a path is too long for programs on Windows, which accept 260
// characters in total.
const longPath = 240

// Names checks the names and kinds of the entries in our folders: links and pipes, which are ignored; entries that the
// allow-list refuses; and names that another machine could not store or would confuse with each other.
func (s *Store) Names() ([]Trouble, error) {
	var found []Trouble
	folded := map[string]string{}
	var in allowedIn
	err := s.eachName(func(rel string, d fs.DirEntry) {
		switch t := d.Type(); {
		case t&fs.ModeSymlink != 0:
			detail := "is a link: it is neither read nor committed"
			if rel == localFile || slices.Contains(UserFiles(), rel) {
				detail = "is a link: it is read, and not committed"
			}
			found = append(found, Trouble{Level: Warn, Path: rel, Detail: detail})
			return
		case !t.IsRegular() && !d.IsDir():
			found = append(found,
				Trouble{Level: Warn, Path: rel, Detail: "is a pipe, socket or device: it is neither read nor committed"})
			return
		}
		if why := unfit(rel); why != "" {
			found = append(found, Trouble{Level: Warn, Path: rel, Detail: why})
		} else if base := path.Base(rel); !d.IsDir() && base[0] != '.' && rel != localFile && !in.allowed(rel) &&
			rel[0] == ourDir[0] {
			found = append(found, Trouble{Path: rel, Detail: "is not committed: its name is one that the allow-list refuses"})
		}
		key := strings.ToLower(strings.ToUpper(norm.NFC.String(rel)))
		if other, taken := folded[key]; taken && other != rel {
			found = append(found, Trouble{Level: Warn, Path: rel, Detail: "differs from " + path.Base(other) +
				" beside it only in case or in how accents are written: on other machines they are one file"})
		}
		folded[key] = rel
	})
	return found, err
}

// unfit returns why other systems can't store a path, "" if they can.
func unfit(rel string) string {
	base := path.Base(rel)
	low := strings.ToLower(base)
	switch {
	case len([]rune(rel)) > longPath:
		return fmt.Sprintf("is %d characters long below the root: Windows takes no more than %d", len([]rune(rel)), longPath)
	case base[0] != '.' && (reservedName(low) || shortName(low)):
		return "has a name that Windows reserves"
	case strings.HasSuffix(base, ".") || strings.HasSuffix(base, " "):
		return "ends in a dot or a space, which Windows cuts off"
	case strings.ContainsAny(base, `\:*?"<>|`) || strings.ContainsFunc(base, unicode.IsControl):
		return "has a character in its name that Windows refuses"
	}
	return ""
}

// eachName calls f for each file and folder in our folders, except the repository, the cache and temporary files.
func (s *Store) eachName(f func(rel string, d fs.DirEntry)) error {
	tops := []string{ourDir}
	projects, err := s.readDir(clientDir)
	for _, p := range projects {
		tops = append(tops, clientDir+"/"+p.Name()+"/memory")
	}
	errs := []error{err}
	for _, top := range tops {
		fi, err := os.Lstat(s.abs(top))
		if err == nil && fi.Mode()&fs.ModeSymlink != 0 {
			f(top, fs.FileInfoToDirEntry(fi))
		}
		errs = append(errs, s.walk(top, func(rel string, d fs.DirEntry) error {
			switch {
			case rel == indexDir || rel == innerGitDir:
				if d.IsDir() {
					return fs.SkipDir
				}
			case !isTemp(d.Name()):
				f(rel, d)
			}
			return nil
		}))
	}
	return errors.Join(errs...)
}
