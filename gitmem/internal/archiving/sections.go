package archiving

import (
	"errors"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/tombstone"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// sectionList is the state of the archive according to its files and the tombstone list. It reads each file once per
// run.
type sectionList struct {
	archives *Archives
	looked   map[string]lookedAt                   // by transcript
	list     string                                // hash of the tombstone list
	files    map[string]map[string]archive.Session // by archive path and session
	sessions map[string]string                     // the file of each session; nil until all files are read
}

func (s *Archives) newSectionList() *sectionList {
	return &sectionList{archives: s, looked: s.archivedFiles(), list: s.tombstoneHash(),
		files: map[string]map[string]archive.Session{}}
}

// tombstoneHash returns the hash of the tombstone list, or "" if there is none.
func (s *Archives) tombstoneHash() string {
	if s.ws.Store == nil {
		return ""
	}
	b, err := s.ws.Store.Read("", tombstone.File)
	if err != nil {
		return ""
	}
	return ingest.HashOf(b)
}

// in returns the sessions of an archive file.
func (l *sectionList) in(rel string) (map[string]archive.Session, error) {
	if sessions, ok := l.files[rel]; ok {
		return sessions, nil
	}
	b, err := l.archives.ws.Store.Read("", rel)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, err
	}
	l.files[rel] = archive.Sessions(b)
	return l.files[rel], nil
}

// wrote reloads an archive file after a write.
func (l *sectionList) wrote(rel string) {
	delete(l.files, rel)
	if l.sessions != nil {
		sessions, _ := l.in(rel)
		for session := range sessions {
			l.sessions[session] = rel
		}
	}
}

// find returns the archive file with sections of a session, or "", and the session's state there. It reads all archive
// files.
func (l *sectionList) find(session string) (rel string, a archive.Session, err error) {
	if l.archives.ws.Store == nil {
		return "", a, nil
	}
	if l.sessions == nil {
		all := map[string]string{}
		for f, err := range l.archives.ws.Store.Files() {
			if err != nil {
				return "", a, err
			}
			if cite.AreaOf(f.Path) != cite.AreaArchive {
				continue
			}
			sessions, err := l.in(f.Path)
			if err != nil {
				return "", a, err
			}
			for s, has := range sessions {
				if has.Through >= l.files[all[s]][s].Through {
					all[s] = f.Path
				}
			}
		}
		l.sessions = all
	}
	rel = l.sessions[session]
	return rel, l.files[rel][session], nil
}

// holds reports whether the current version of a transcript was processed and the archive still contains its session in
// the same state.
func (l *sectionList) holds(f *transcript.File) bool {
	at, ok := l.looked[f.Path]
	if !ok || f.Stat.MtimeNs == 0 || at.Stamp != ingest.TranscriptStamp(f) {
		return false
	}
	if (at.File == "" || at.Deleted) && at.List != l.list {
		return false // the tombstone that excluded it may have been removed
	}
	if at.File == "" {
		return true
	}
	sessions, err := l.in(at.File)
	if err != nil {
		return false
	}
	if a := sessions[f.Session]; a.Sections > 0 && a.Through >= at.Through {
		return true
	}
	_, a, err := l.find(f.Session)
	return err == nil && a.Sections > 0 && a.Through >= at.Through
}

// look records the result of processing a transcript.
func (l *sectionList) look(f *transcript.File, deleted bool) error {
	rel, a, err := l.find(f.Session)
	l.looked[f.Path] = lookedAt{Stamp: ingest.TranscriptStamp(f), List: l.list, File: rel, Through: a.Through,
		Deleted: deleted}
	return err
}

// elsewhere returns the state of a session in its file, or in another file with sections of it: a person may have moved
// the sections or the project.
func (l *sectionList) elsewhere(session, rel string, here archive.Session) (archive.Session, error) {
	other, a, err := l.find(session)
	if other != "" && other != rel {
		here.Sections, here.Through, here.Mark = a.Sections, a.Through, a.Mark
	}
	return here, err
}
