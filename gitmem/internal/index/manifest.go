package index

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

const (
	currentFile  = "CURRENT"
	manifestFile = "MANIFEST"
	marksFile    = "marks"
	// damagedFile is created in a generation whose bytes were found damaged although sizes and times are unchanged.
	damagedFile = "damaged"

	formatVersion = 11

	minTombstone = 256
	// soonBuilt is the number of documents that can be copied in a fraction of a second.
	soonBuilt = 20_000
	// checkEvery is how long a file that is shared by generations is trusted after its checksum was compared.
	checkEvery = 24 * time.Hour
)

// manifest describes a generation and the state of its files when their checksums were taken.
type manifest struct {
	Format   int
	Analyzer string
	Options  string
	Rows     int
	Live     int
	Serial   uint32   // of the next row, see [tableWriter]
	Parts    []string // files of the rows
	Files    []fileState
}

// fileState is a file of a generation, with its slash-separated path within it.
type fileState struct {
	Path    string
	Size    int64
	MtimeNs int64
	CRC     uint32
	Checked int64 `json:",omitempty"` // Unix seconds of the last comparison of the bytes with CRC
}

// wantsCompacting reports whether there are many tombstones. Without waitForLock a large generation is only compacted
// if it is several times as large as necessary, since a question is faster than compacting.
func (m *manifest) wantsCompacting(waitForLock bool) bool {
	dead := m.Rows - m.Live
	pays := dead >= minTombstone && dead*4 > m.Rows
	return pays && (waitForLock || m.Live <= soonBuilt || dead > 3*m.Live)
}

func (s *Shard) newManifest() manifest {
	sum := sha256.Sum256([]byte(s.opt.Fingerprint))
	return manifest{
		Format:   formatVersion,
		Analyzer: analyzerVersion + " unicode " + unicode.Version, Options: hex.EncodeToString(sum[:16]),
	}
}

// state compares the settings that a generation was built with.
func (m *manifest) state(want manifest) State {
	switch {
	case m.Format != want.Format, m.Analyzer != want.Analyzer:
		return Version
	case m.Options != want.Options:
		return OtherOptions
	}
	return Current
}

// encode returns the manifest as JSON followed by a line with its CRC-32.
func (m *manifest) encode() ([]byte, error) {
	b, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		return nil, err
	}
	b = append(b, '\n')
	return fmt.Appendf(b, "%08x\n", crc32.ChecksumIEEE(b)), nil
}

func decodeManifest(b []byte) (*manifest, error) {
	const tail = 9
	if len(b) < tail {
		return nil, fmt.Errorf("%w: manifest has %d bytes", ErrCorrupt, len(b))
	}
	body := b[:len(b)-tail]
	if !bytes.Equal(b[len(body):], fmt.Appendf(nil, "%08x\n", crc32.ChecksumIEEE(body))) {
		return nil, fmt.Errorf("%w: checksum of the manifest", ErrCorrupt)
	}
	m := &manifest{}
	if err := json.Unmarshal(body, m); err != nil {
		return nil, fmt.Errorf("%w: manifest: %w", ErrCorrupt, err)
	}
	return m, nil
}

// generation is a complete index on disk.
type generation struct {
	dir   string
	name  string
	man   *manifest
	marks map[string]Mark
	quiet bool // damage is returned but not recorded
}

func (g *generation) path(elem ...string) string {
	return filepath.Join(append([]string{g.dir}, elem...)...)
}

// load finds the current generation; it is nil unless the state is Current. It retries if a writer swaps generations
// meanwhile.
func (s *Shard) load() (*generation, State, error) {
	for {
		name, st, err := s.current()
		if name == "" {
			return nil, st, err
		}
		g, st, err := s.loadNamed(name)
		if err == nil && st == Current {
			return g, st, nil
		}
		if now, _, err := s.current(); err == nil && now != "" && now != name {
			continue
		}
		return nil, st, err
	}
}

// Generation returns the name of the current generation, "" for none. Each refresh with changes gives it a new name.
func (s *Shard) Generation() string {
	name, _, _ := s.current()
	return name
}

// current reads CURRENT. It returns a generation's name, or the state if there is none.
func (s *Shard) current() (string, State, error) {
	b, err := os.ReadFile(s.path(currentFile))
	if errors.Is(err, fs.ErrNotExist) {
		return "", Missing, nil
	}
	if err != nil {
		return "", Missing, fmt.Errorf("read the index: %w", err)
	}
	name, ok := strings.CutSuffix(string(b), "\n")
	if _, isGen := generationNumber(name); !ok || !isGen {
		return "", Corrupt, nil
	}
	return name, Current, nil
}

// loadNamed reads manifest and marks of a generation and compares its files with the manifest. It returns an error only
// if the cause cannot be a damaged or missing file.
func (s *Shard) loadNamed(name string) (*generation, State, error) {
	g := &generation{dir: s.path(name), name: name, quiet: s.opt.ReadOnly}
	b, err := os.ReadFile(g.path(manifestFile))
	if err != nil {
		return nil, Corrupt, unlessMissing(err)
	}
	if g.man, err = decodeManifest(b); err != nil {
		return nil, Corrupt, nil
	}
	if st := g.man.state(s.newManifest()); st != Current {
		return nil, st, nil
	}
	if intact, err := g.unchanged(); !intact {
		return nil, Corrupt, err
	}
	if b, err = os.ReadFile(g.path(marksFile)); err != nil {
		return nil, Corrupt, unlessMissing(err)
	}
	if g.marks, err = decodeMarks(b); err != nil {
		return nil, Corrupt, nil
	}
	return g, Current, nil
}

// unlessMissing returns an error unless it means that a file does not exist.
func unlessMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("read the index: %w", err)
}

// unchanged compares the size and time of each file with the manifest.
func (g *generation) unchanged() (bool, error) {
	if _, err := os.Lstat(g.path(damagedFile)); err == nil {
		return false, nil
	}
	for _, f := range g.man.Files {
		info, err := os.Lstat(g.path(filepath.FromSlash(f.Path)))
		if err != nil {
			return false, unlessMissing(err)
		}
		if !info.Mode().IsRegular() || info.Size() != f.Size || info.ModTime().UnixNano() != f.MtimeNs {
			return false, nil
		}
	}
	return true, nil
}

// checksums verifies the checksums of all files.
func (g *generation) checksums() error { return g.checkDue(nil) }

// checkDue verifies the files whose bytes were not compared for a while, and records the time. Without a clock it
// verifies all.
func (g *generation) checkDue(now func() time.Time) error {
	for i := range g.man.Files {
		f := &g.man.Files[i]
		if now != nil {
			t := now().Unix()
			if age := t - f.Checked; f.Checked != 0 && 0 <= age && age < int64(checkEvery/time.Second) {
				continue
			}
			f.Checked = t
		}
		crc, err := fileCRC(g.path(filepath.FromSlash(f.Path)))
		if err != nil {
			return err
		}
		if crc != f.CRC {
			return fmt.Errorf("%w: checksum of %s", ErrCorrupt, f.Path)
		}
	}
	return nil
}

func fileCRC(path string) (uint32, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	sum := crc32.NewIEEE()
	_, err = io.CopyBuffer(struct{ io.Writer }{sum}, struct{ io.Reader }{f}, make([]byte, 1<<18))
	return sum.Sum32(), err
}

// markDamaged records that the bytes are damaged, so that the next refresh rebuilds. It returns the reason, joined with
// an error of recording.
func (g *generation) markDamaged(why error) error {
	var err error
	if !g.quiet {
		err = os.WriteFile(g.path(damagedFile), []byte(why.Error()+"\n"), 0o600)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // the generation was already removed
	}
	if !errors.Is(why, ErrCorrupt) {
		why = fmt.Errorf("%w: %w", ErrCorrupt, why)
	}
	return errors.Join(why, err)
}

// generationNumber parses a generation's name: g and at least 8 digits.
func generationNumber(name string) (int, bool) {
	digits, ok := strings.CutPrefix(name, "g")
	n, err := strconv.ParseUint(digits, 10, 62)
	return int(n), ok && err == nil && len(digits) >= 8
}

// list returns the files of a generation. A file with the name, size and time of one of the base is a link to it and
// keeps its checksum.
func (g *generation) list(base *generation, now func() time.Time) (files []fileState, err error) {
	err = filepath.WalkDir(g.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			return osfile.SyncDir(path)
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(g.dir, path)
		if err != nil {
			return err
		}
		f := fileState{Path: filepath.ToSlash(rel), Size: info.Size(), MtimeNs: info.ModTime().UnixNano()}
		if known := base.file(f.Path, info); known != nil {
			f.CRC, f.Checked = known.CRC, known.Checked
		} else if f.CRC, err = fileCRC(path); err != nil {
			return err
		} else if now != nil {
			f.Checked = now().Unix()
		}
		files = append(files, f)
		return nil
	})
	return files, err
}

// file returns the base's file with the name, size and time of next, which is then a link to it, or a copy if links are
// unsupported; nil if there is none. Rows and segments never change under their names.
func (g *generation) file(name string, next fs.FileInfo) *fileState {
	if g == nil {
		return nil
	}
	at := slices.IndexFunc(g.man.Files, func(f fileState) bool { return f.Path == name && f.Size == next.Size() })
	if at < 0 {
		return nil
	}
	was, err := os.Lstat(g.path(filepath.FromSlash(name)))
	if ext := path.Ext(name); ext == rowsExt || ext == ".zap" || err == nil && os.SameFile(was, next) {
		return &g.man.Files[at]
	}
	return nil
}
