package index

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// stampsFile holds the change times of a generation's files as they were when their
// bytes were known to be right. Whoever writes into a file changes it, also one who puts
// the modification time back, and so does whoever links or unlinks it. Where it differs
// the bytes are compared with their checksum, before any of them is read for an answer:
// what bleve makes of damaged ones may be anything, or take all memory. The file is
// written behind the manifest and anew at any time; without it all bytes are compared.
const stampsFile = "stamps"

// stamps are the change times of files by their paths, 0 where the system has none.
type stamps map[string]int64

// stamp reads the change times as they are now.
func (g *generation) stamp() (stamps, error) {
	now := stamps{}
	for _, f := range g.man.Files {
		info, err := os.Lstat(g.path(filepath.FromSlash(f.Path)))
		if err != nil {
			return nil, err
		}
		now[f.Path], _ = osfile.ChangeTime(info)
	}
	return now, nil
}

// compareStamps compares the bytes of those files that may have been written to, by the
// change times that they have now.
func (g *generation) compareStamps(now stamps) error {
	known := stamps{}
	if b, err := os.ReadFile(g.path(stampsFile)); err != nil || json.Unmarshal(b, &known) != nil {
		known = nil
	}
	same := true
	for i := range g.man.Files {
		f := &g.man.Files[i]
		if now[f.Path] != known[f.Path] {
			same = false
			if err := g.checksum(f); err != nil {
				return err
			}
		}
	}
	if !same && !g.quiet {
		g.keepStamps(now)
	}
	return nil
}

// keepStamps notes change times. Without, the next one compares bytes.
func (g *generation) keepStamps(s stamps) {
	b, err := json.Marshal(s)
	if err != nil {
		return
	}
	temp, err := os.CreateTemp(g.dir, stampsFile)
	if err != nil {
		return
	}
	_, err = temp.Write(b)
	if errors.Join(err, temp.Close()) != nil || os.Rename(temp.Name(), g.path(stampsFile)) != nil {
		_ = os.Remove(temp.Name())
	}
}

// restamp notes the change times of files that were linked or unlinked by this process.
func (g *generation) restamp() {
	if s, err := g.stamp(); err == nil {
		g.keepStamps(s)
	}
}
