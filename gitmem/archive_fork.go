package gitmem

import (
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// repeats tells of a transcript's messages which ones another session said: the
// client begins a fork with a copy of what was said before. nil says that none are.
//
// Two transcripts are of one stem when they begin with the same message. What they
// share belongs to the one that went on first.
func (a *archiver) repeats(file string) (func(transcript.Message) bool, error) {
	stem, err := stemOf(file)
	if err != nil || stem == "" {
		return nil, err
	}
	var theirs map[string]bool
	for _, other := range a.sameStem(filepath.Dir(file), stem) {
		if other == file {
			continue
		}
		shared, err := sharedWithOlder(file, other)
		if err != nil {
			a.m.notice("%s could not be compared with %s: %v", filepath.Base(file), filepath.Base(other), err)
			continue
		}
		for key := range shared {
			if theirs == nil {
				theirs = map[string]bool{}
			}
			theirs[key] = true
		}
	}
	if theirs == nil {
		return nil, nil
	}
	return func(msg transcript.Message) bool { return theirs[messageKey(msg)] }, nil
}

// unrepeated passes on the messages that are a transcript's own.
func unrepeated(msgs iter.Seq2[transcript.Message, error], repeated func(transcript.Message) bool) iter.Seq2[transcript.Message, error] {
	if repeated == nil {
		return msgs
	}
	return func(yield func(transcript.Message, error) bool) {
		for msg, err := range msgs {
			if err == nil && repeated(msg) {
				continue
			}
			if !yield(msg, err) {
				return
			}
		}
	}
}

// sameStem lists the transcripts of a folder that begin as one does.
func (a *archiver) sameStem(dir, stem string) []string {
	stems, ok := a.starts[dir]
	if !ok {
		stems = map[string][]string{}
		files, _ := filepath.Glob(filepath.Join(strings.NewReplacer(`[`, `\[`, `*`, `\*`, `?`, `\?`).Replace(dir), "*.jsonl")) // well formed
		for _, f := range files {
			if s, err := stemOf(f); err == nil && s != "" {
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

// stemOf names the first message of a transcript.
func stemOf(file string) (string, error) {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return "", nil // reading it might never end
	}
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	for msg, err := range transcript.NewReader(f, transcript.Position{}).All() {
		return messageKey(msg), err
	}
	return "", nil
}

// messageKey names a message across copies: ids may be given anew, times are not.
func messageKey(msg transcript.Message) string {
	if msg.Time.IsZero() {
		return ""
	}
	return msg.Time.UTC().Format(time.RFC3339Nano) + " " + string(msg.Role) + " " + lineMark(msg.Text)
}

// sharedWithOlder lists the messages that a transcript shares with another one, if
// that one went on first or has nothing else.
func sharedWithOlder(file, other string) (map[string]bool, error) {
	theirs, err := keysOf(other)
	if err != nil {
		return nil, err
	}
	mine, err := keysOf(file)
	if err != nil {
		return nil, err
	}
	my, myTime := firstOwn(mine, theirs)
	their, theirTime := firstOwn(theirs, mine)
	older := !their || my && (theirTime.Before(myTime) || theirTime.Equal(myTime) && other < file)
	if !my && !their {
		older = other < file // two copies: one of them counts
	}
	if !older {
		return nil, nil
	}
	shared := map[string]bool{}
	for key := range mine {
		if _, ok := theirs[key]; ok {
			shared[key] = true
		}
	}
	return shared, nil
}

// firstOwn is when the first message of one transcript was said that another lacks.
func firstOwn(mine, theirs map[string]time.Time) (ok bool, at time.Time) {
	for key, t := range mine {
		if _, both := theirs[key]; !both && (!ok || t.Before(at)) {
			ok, at = true, t
		}
	}
	return ok, at
}

func keysOf(file string) (map[string]time.Time, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	keys := map[string]time.Time{}
	for msg, err := range transcript.NewReader(f, transcript.Position{}).All() {
		if err != nil {
			return nil, err
		}
		if key := messageKey(msg); key != "" {
			keys[key] = msg.Time
		}
	}
	return keys, nil
}
