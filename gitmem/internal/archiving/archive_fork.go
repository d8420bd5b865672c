package archiving

import (
	"path/filepath"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// repeats returns the keys of the messages in a transcript that belong to another session, or nil: a client begins a
// fork with a copy of the earlier messages.
//
// Two transcripts have the same stem if they begin with the same message. Their common messages belong to the one that
// continued first.
func (a *archiver) repeats(file string) (theirs map[string]bool, err error) {
	stem, err := transcript.FirstMessageKey(file)
	if err != nil || stem == "" {
		return nil, err
	}
	for _, other := range a.sameStem(filepath.Dir(file), stem) {
		if other == file {
			continue
		}
		shared, err := transcript.SharedWithOlder(file, other)
		if err != nil {
			a.archives.ws.Caveat("%s could not be compared with %s: %v", filepath.Base(file), filepath.Base(other), err)
			continue
		}
		for key := range shared {
			if theirs == nil {
				theirs = map[string]bool{}
			}
			theirs[key] = true
		}
	}
	return theirs, nil
}

// sameStem lists the transcripts of a folder with the same first message.
func (a *archiver) sameStem(dir, stem string) []string {
	stems, ok := a.starts[dir]
	if !ok {
		stems = map[string][]string{}
		// the pattern is well formed
		files, _ := filepath.Glob(filepath.Join(strings.NewReplacer(`[`, `\[`, `*`, `\*`, `?`, `\?`).Replace(dir), "*.jsonl"))
		for _, f := range files {
			if s, err := transcript.FirstMessageKey(f); err == nil && s != "" {
				stems[s] = append(stems[s], f)
			}
		}
		if a.starts == nil {
			a.starts = map[string]map[string][]string{}
		}
		a.starts[dir] = stems
	}
	return stems[stem]
}
