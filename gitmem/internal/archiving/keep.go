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

// KeepTranscript keeps the transcripts of a session and its subagents after the client deletes them, if
// keep_transcripts is on. It makes a hard link, or a copy if the file system does not support links or the file is
// accessible to other users. file is the transcript's path as the client reports it; if it is outside the client's
// folder, the transcript is looked up there. KeepTranscript returns a message about what it did, or "".
//
// A session is not kept, and earlier copies are removed, if any part of it is excluded, was recorded during a pause or
// is in a private block. If the client replaced its file and one version contains the other, only the longer one is
// kept. Otherwise both are kept, the older ones as <session>_1, _2 and so on.
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

// clientFolder returns the name of the client's folder that contains a session's transcript.
func (s *Archives) clientFolder(session, file string) (string, bool) {
	projects := s.ws.ClientProjects()
	if filepath.Base(file) == session+".jsonl" &&
		workspace.RealPath(filepath.Dir(filepath.Dir(file))) == workspace.RealPath(projects) {
		return filepath.Base(filepath.Dir(file)), true
	}
	found := transcript.Find(projects, session)
	return ingest.FolderName(found), found != ""
}

// sessionFiles lists a session's files below the client's folder. It skips files that are not regular, since a link
// could point anywhere.
func (s *Archives) sessionFiles(folder, session string) []string {
	base := filepath.Join(s.ws.ClientProjects(), folder)
	names := []string{session + ".jsonl"}
	entries, _ := os.ReadDir(filepath.Join(base, session, "subagents")) // most sessions have no subagents
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

// unkeep removes the kept files of a session that the client still has.
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

// keepFile updates dst from src and reports whether it changed dst.
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
		return false, nil // the client truncated its file; the kept one is longer
	}
	if err := os.Rename(dst, olderName(dst)); err != nil {
		return false, err
	}
	return true, putTranscript(src, dst, from, 0)
}

// begins reports whether a file begins with the size bytes of another file, judged by samples of both ends of that
// part.
func begins(long, short string, size int64) bool {
	h := ingest.SampleFile(short, size)
	return h != "" && h == ingest.SampleFile(long, size)
}

// olderName returns the first unused name for an older version of a kept transcript.
func olderName(dst string) string {
	stem := strings.TrimSuffix(dst, ".jsonl")
	for n := 1; ; n++ {
		name := stem + "_" + strconv.Itoa(n) + ".jsonl"
		if _, err := os.Lstat(name); err != nil {
			return name
		}
	}
}

// makeKeptDir creates a folder for kept transcripts and, once, a .gitignore file that excludes it from any surrounding
// repository.
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

// putTranscript replaces dst by a link to src, which needs no space and grows with it, or by a copy. kept is the number
// of bytes of src that dst already contains.
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

// copyTail appends the bytes of src after offset from to dst.
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
