package archiving

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/session"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// KeepTranscript keeps a session's transcript and those of its subagents beyond the
// client's own, where keep_transcripts is on: as another name of the same file, or
// as a copy where file systems can't do that or the file is open to others. file is
// where the client says that the transcript lies; elsewhere than in the client's
// folder it is looked for there. It returns what it did in words, "" for nothing.
//
// A session of which any part is excluded, was said while capture was paused or
// is in a private block is not kept, and what was kept of it before is removed.
// Where the client has replaced its file, one that holds all of the other is left;
// else both are, the older one as <session>_1, _2 and so on.
func (s *Archives) KeepTranscript(_ context.Context, id, file string) (string, error) {
	pol := s.ws.Policy()
	if pol.Err != nil || !pol.Config.KeepTranscripts || !pol.Config.Capture {
		return "", nil
	}
	if err := session.CheckID(id); err != nil {
		return "", err
	}
	folder, ok := s.clientFolder(id, file)
	if !ok {
		return "", nil
	}
	names := s.sessionFiles(folder, id)
	if why := s.src.ReasonNotKept(id, folder, names); why != "" {
		return s.unkeep(folder, names, why)
	}
	n := 0
	var errs []error
	for _, name := range names {
		did, err := s.keepFile(filepath.Join(s.ws.ClientProjects(), folder, name),
			filepath.Join(s.ws.KeptDir(), folder, name))
		if did {
			n++
		}
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil || n == 0 {
		return "", err
	}
	return "kept " + messages.Plural(n, "transcript"), nil
}

// clientFolder is the name of the client's folder that holds a session's transcript.
func (s *Archives) clientFolder(session, file string) (string, bool) {
	projects := s.ws.ClientProjects()
	if filepath.Base(file) == session+".jsonl" &&
		workspace.RealPath(filepath.Dir(filepath.Dir(file))) == workspace.RealPath(projects) {
		return filepath.Base(filepath.Dir(file)), true
	}
	found := transcript.Find(projects, session)
	return ingest.FolderName(found), found != ""
}

// sessionFiles lists a session's files below the client's folder. Only regular ones
// count: a link could lead anywhere.
func (s *Archives) sessionFiles(folder, session string) []string {
	base := filepath.Join(s.ws.ClientProjects(), folder)
	names := []string{session + ".jsonl"}
	entries, _ := os.ReadDir(filepath.Join(base, session, "subagents")) // most sessions have none
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".jsonl"); ok && transcript.ValidSessionID(id) {
			names = append(names, filepath.Join(session, "subagents", e.Name()))
		}
	}
	var out []string
	for _, n := range names {
		if info, err := os.Lstat(filepath.Join(base, n)); err == nil && info.Mode().IsRegular() {
			out = append(out, n)
		}
	}
	return out
}

// unkeep removes what was kept of a session that the client still has.
func (s *Archives) unkeep(folder string, names []string, why string) (string, error) {
	removed := 0
	for _, name := range names {
		err := os.Remove(filepath.Join(s.ws.KeptDir(), folder, name))
		switch {
		case err == nil:
			removed++
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
	}
	if removed > 0 {
		return "kept no longer: " + why, nil
	}
	return "", nil
}

// keepFile makes dst hold what src does, and reports whether it had to.
func (s *Archives) keepFile(src, dst string) (did bool, err error) {
	from, err := os.Stat(src)
	if err != nil {
		return false, err
	}
	to, err := os.Lstat(dst)
	if errors.Is(err, fs.ErrNotExist) {
		if err := s.makeKeptDir(filepath.Dir(dst)); err != nil {
			return false, err
		}
		return true, putTranscript(src, dst, from, 0)
	}
	switch {
	case err != nil:
		return false, err
	case os.SameFile(from, to):
		return false, nil
	case begins(src, dst, to.Size()):
		if to.Size() == from.Size() {
			return false, nil
		}
		return true, putTranscript(src, dst, from, to.Size())
	case begins(dst, src, from.Size()):
		return false, nil // the client has cut its file off: ours holds more
	}
	if err := os.Rename(dst, olderName(dst)); err != nil {
		return false, err
	}
	return true, putTranscript(src, dst, from, 0)
}

// begins reports whether a file begins with the whole of another that has size bytes,
// as far as samples of both ends of that part show.
func begins(long, short string, size int64) bool {
	h := ingest.SampleFile(short, size)
	return h != "" && h == ingest.SampleFile(long, size)
}

// olderName is the first name that no older version of a kept transcript has yet.
func olderName(dst string) string {
	stem := strings.TrimSuffix(dst, ".jsonl")
	for n := 1; ; n++ {
		name := stem + "_" + strconv.Itoa(n) + ".jsonl"
		if _, err := os.Lstat(name); err != nil {
			return name
		}
	}
}

// makeKeptDir makes a folder for kept transcripts, and once the file that keeps
// them out of any repository around it, whatever its own lists say.
func (s *Archives) makeKeptDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	ignore := filepath.Join(s.ws.KeptDir(), ".gitignore")
	if _, err := os.Lstat(ignore); err == nil {
		return nil
	}
	return osfile.Replace(ignore, "", osfile.Bytes([]byte("# Raw transcripts stay on this machine.\n*\n")))
}

// putTranscript puts src at dst, in place of what is there: linked, so that it costs
// no space and grows by itself, or copied. kept is how much of src dst holds already.
func putTranscript(src, dst string, from fs.FileInfo, kept int64) error {
	temp, err := os.MkdirTemp(filepath.Dir(dst), ".gitmem-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	name := filepath.Join(temp, "t.jsonl")
	open := runtime.GOOS != "windows" && from.Mode().Perm()&0o077 != 0 // a link has the client's permissions
	switch {
	case !open && os.Link(src, name) == nil:
	case kept > 0:
		return copyTail(src, dst, kept)
	default:
		if err := copyTail(src, name, 0); err != nil {
			return err
		}
	}
	return os.Rename(name, dst)
}

// copyTail appends to dst what src holds behind its first bytes.
func copyTail(src, dst string, from int64) error {
	in, err := os.Open(src)
	if err != nil {
		return err
	}
	defer in.Close()
	if _, err := in.Seek(from, io.SeekStart); err != nil {
		return err
	}
	out, err := os.OpenFile(dst, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
