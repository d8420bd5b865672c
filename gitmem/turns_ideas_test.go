package gitmem_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// heardSessions returns labelled sessions, without tool calls.
func heardSessions(t *testing.T, most int) (list [][]turn) {
	t.Helper()
	f, err := os.Open("internal/transcript/testdata/sessions-train.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for in := bufio.NewReader(f); len(list) < most; {
		line, err := in.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		var project struct {
			Sessions []struct {
				Start time.Time
				Turns []struct {
					Role, Text string
					Min        int
				}
			}
		}
		if err := json.Unmarshal(line, &project); err != nil {
			t.Fatal(err)
		}
		var turns []turn
		s := project.Sessions[0]
		for _, tn := range s.Turns {
			if tn.Role != "tool" {
				turns = append(turns,
					turn{role: tn.Role, text: tn.Text, at: s.Start.Add(time.Duration(tn.Min) * time.Minute).Format(time.RFC3339)})
			}
		}
		list = append(list, turns)
	}
	return list
}

// TestIdeasOfATurn checks that, however often a growing session is processed, its log has the ideas that its section
// gets in the end, under the same ids.
func TestIdeasOfATurn(t *testing.T) {
	t.Parallel()
	inLog := regexp.MustCompile(`(?m) idea · said: (\[.*\^i-\w+) · \w+ \^o-`)
	inSection := regexp.MustCompile(`(?m)^- (\[(?:decision|conclusion|problem|solution|question|todo` +
		`|context)\].*\^i-\w+)$`)
	for n, turns := range heardSessions(t, 6) {
		l := newLab(t)
		r := l.repo("pump")
		f := l.transcriptFile(r.dir, sessionA)
		for at := range turns {
			l.appendTo(f, transcriptText(t, r.dir, sessionA, turns[at:at+1]...))
			if at%3 != n%3 { // when turns end, or several messages later
				continue
			}
			if n == 0 && at == 9 { // the cache is lost: the transcript is read again
				if err := os.RemoveAll(filepath.Join(l.root, "gitmem/.index/turns")); err != nil {
					t.Fatal(err)
				}
			}
			l.endTurn(r.dir, f, "")
		}
		l.endTurn(r.dir, f, "")
		l.endSession(r.dir, sessionA, f)
		logs, sections := matchesIn(l, inLog, "observations"), matchesIn(l, inSection, "sessions")
		if len(logs) < 5 {
			t.Errorf("session %d has only %d ideas", n, len(logs))
		}
		for line := range logs {
			if !sections[line] {
				t.Errorf("session %d: the section does not have %s", n, line)
			}
		}
	}
}

// matchesIn returns the matches of a pattern in the files of a folder of a project's memory.
func matchesIn(l *lab, pattern *regexp.Regexp, folder string) map[string]bool {
	l.t.Helper()
	files, err := filepath.Glob(filepath.Join(l.root, "gitmem/projects/*/*", folder, "*/*.md"))
	if err != nil {
		l.t.Fatal(err)
	}
	found := map[string]bool{}
	for _, f := range files {
		for _, m := range pattern.FindAllStringSubmatch(l.read(f), -1) {
			found[m[1]] = true
		}
	}
	return found
}
