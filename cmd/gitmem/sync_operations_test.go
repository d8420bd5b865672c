package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// operation is something that happens on a machine between two syncs.
type operation struct {
	name   string
	weight int
	once   bool // two machines write the same
	do     func(m *machine) error
}

func operations() []operation {
	return []operation{
		{"note", 16, false, (*machine).takeNote},
		{"hand edit", 36, false, (*machine).editByHand},
		{"delete section", 2, false, (*machine).deleteSection},
		{"topic", 4, false, (*machine).writeTopic},
		{"task", 10, false, (*machine).changeTask},
		{"profile", 8, false, (*machine).setProfile},
		{"list", 4, false, (*machine).addToList},
		{"profile rm", 1, false, (*machine).removePath},
		{"decide", 6, false, (*machine).decide},
		{"confirm", 2, false, (*machine).confirm},
		{"entity", 2, false, (*machine).addEntity},
		{"session", 6, true, (*machine).endSession},
		{"tool calls", 6, false, (*machine).callTools},
		{"lost index", 1, true, (*machine).loseIndex},
		{"forget", 2, false, (*machine).forget},
		{"decay", 1, false, func(m *machine) error { return m.gitmem("", "profile", "decay") }},
		{"compact", 1, true, func(m *machine) error { return m.gitmem("", "compact", "--older-than", "3d") }},
	}
}

// step does one operation on a machine.
func (m *machine) step() {
	m.t.Helper()
	m.pass(time.Duration(m.rng.Int64N(int64(6 * time.Hour))))
	all := operations()
	total := 0
	for _, o := range all {
		total += o.weight
	}
	n := m.rng.IntN(total)
	i := slices.IndexFunc(all, func(o operation) bool { n -= o.weight; return n < 0 })
	m.say("%s %s, %s", m.name, all[i].name, m.now().Format(time.RFC3339))
	err := all[i].do(m)
	m.note(all[i].name, all[i].once)
	m.fails(all[i].name, err)
}

// fails counts failures. If nothing may be lost, no command may fail.
func (m *machine) fails(what string, err error) {
	m.t.Helper()
	if err == nil || errors.Is(err, errKilled) {
		return
	}
	m.say("  failed: %v", err)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failed[what]++
	if m.by.strict {
		m.broken = true
		m.t.Errorf("seed %d: %s of machine %s: %v", m.seed, what, m.name, err)
	}
}

// phrase returns the text of a line with a token.
func (m *machine) phrase() string {
	words := strings.Fields("pump relay valve hose winter sensor grey seven ampere board measure check")
	return fmt.Sprintf("%s %s %s %s", oneOf(m.rng, words), m.token(), oneOf(m.rng, words), oneOf(m.rng, words))
}

func (m *machine) takeNote() error { return m.gitmem("", "note", "--force", m.phrase()) }

// writeTopic writes a file next to MEMORY.md, like the client's model. Two machines may choose the same name.
func (m *machine) writeTopic() error {
	rel := m.memory() + oneOf(m.rng, []string{"wiring.md", "testing.md", "parts.md", "places.md"})
	if m.files[rel] == "" {
		const form = "---\nname: topic\ndescription: %s\ntype: project\n---\n\n# Topic\n\n%s\n"
		m.write(rel, fmt.Sprintf(form, m.phrase(), m.phrase()))
		return nil
	}
	lines := strings.SplitAfter(m.read(rel), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "description: ") {
			lines[i] = "description: " + m.phrase() + "\n"
		}
	}
	m.write(rel, strings.Join(lines, ""))
	return nil
}

// changeTask adds a task, possibly the same as on another machine, or changes one.
func (m *machine) changeTask() error {
	names := []string{"Check valve seven", "Wire the board", "Order a hose"}
	switch n := m.rng.IntN(4); n {
	case 0:
		return m.gitmem("", "task", "add", m.phrase())
	case 1:
		return m.gitmem("", "task", "add", oneOf(m.rng, names))
	default:
		var ids []string
		for line := range strings.Lines(m.files[m.project()+"tasks.md"]) {
			if _, id, found := strings.Cut(line, " ^task-"); found {
				ids = append(ids, strings.TrimSpace(id))
			}
		}
		if len(ids) == 0 {
			return m.gitmem("", "task", "add", oneOf(m.rng, names))
		}
		if n == 2 {
			return m.gitmem("", "task", "set", oneOf(m.rng, ids), oneOf(m.rng, []string{"done", "in_progress", "pending"}))
		}
		return m.gitmem("", "task", "set", oneOf(m.rng, ids), "blocked", "waits for "+m.phrase())
	}
}

// profilePaths returns paths of the profile that have a single value each.
func profilePaths() []string {
	return []string{"tools.editor", "tools.shell", "work.role", "style.units"}
}

func (m *machine) setProfile() error {
	tok, path := m.token(), oneOf(m.rng, profilePaths())
	m.about(tok, func(k *token) { k.path = path })
	return m.gitmem("", "profile", "set", path, tok)
}

func (m *machine) removePath() error {
	path := oneOf(m.rng, profilePaths())
	if !strings.Contains(m.files["gitmem/profile.md"], "  "+path+": ") {
		return nil
	}
	return m.gitmem("", "profile", "rm", path)
}

func (m *machine) addToList() error {
	path := oneOf(m.rng, []string{"codePreferences.preferredStacks", "orders", "project.orders"})
	return m.gitmem("", "profile", "set", path, "Always "+m.phrase())
}

// decide writes a decision, possibly with the same name as on another machine.
func (m *machine) decide() error {
	title := "Use " + m.phrase()
	if m.rng.IntN(2) == 0 {
		title = "Use " + oneOf(m.rng, []string{"ten ampere relays", "the rubber hose", "a second lamp"})
	}
	args := []string{"decide", "--force", title, "--why", m.phrase()}
	if m.rng.IntN(3) == 0 {
		args = append(args, "--status", "proposed")
	}
	return m.gitmem("", args...)
}

func (m *machine) confirm() error {
	for _, rel := range m.sorted(func(rel string) bool { return strings.Contains(rel, "/decisions/") }) {
		if strings.Contains(m.files[rel], "\nstatus: proposed\n") {
			return m.gitmem("", "decision", "confirm", strings.TrimSuffix(filepath.Base(rel), ".md"))
		}
	}
	return nil
}

func (m *machine) addEntity() error {
	rel := "gitmem/entities.md"
	text := m.read(rel)
	if text == "" {
		text = "# Entities\n\n"
	}
	m.write(rel, text+"- tech/"+m.token()+": the pump\n")
	return nil
}

// turn returns one line of a transcript.
func (m *machine) turn(session, role, uuid, text string) string {
	var content any = text
	if role == "assistant" {
		content = []any{map[string]string{"type": "text", "text": text}}
	}
	b, err := json.Marshal(map[string]any{
		"type": role, "uuid": uuid, "sessionId": session, "timestamp": m.now().Format(time.RFC3339), "cwd": m.dir,
		"promptSource": "typed", "version": "2.1.329", "message": map[string]any{"role": role, "content": content},
	})
	m.must(err)
	return string(b) + "\n"
}

func (m *machine) transcript(session string) string {
	return m.path("projects/" + munged(m.dir) + "/" + session + ".jsonl")
}

// endSession archives a session: a new one, a later part of one, or one whose transcript was copied from
// another machine.
func (m *machine) endSession() error {
	other := oneOf(m.rng, m.machines)
	switch n := m.rng.IntN(6); {
	case n == 0 && len(m.ended) > 0:
		return m.archive(oneOf(m.rng, m.ended), true)
	case n == 1 && other != m && other.dir == m.dir && len(other.ended) > 0:
		session := oneOf(m.rng, other.ended)
		if _, err := os.Stat(m.transcript(session)); err == nil {
			return nil
		}
		b, err := os.ReadFile(other.transcript(session))
		m.must(err)
		m.must(os.MkdirAll(filepath.Dir(m.transcript(session)), 0o700))
		m.must(os.WriteFile(m.transcript(session), b, 0o600))
		m.say("  %s of %s", session, other.name)
		return m.archive(session, false)
	}
	session := fmt.Sprintf("%08x-18be-494e-9c54-6e697febc51c", m.rng.Uint32())
	m.ended = append(m.ended, session)
	return m.archive(session, true)
}

// archive ends a session, after more turns if more is set.
func (m *machine) archive(session string, more bool) error {
	name := m.transcript(session)
	m.must(os.MkdirAll(filepath.Dir(name), 0o700))
	if more {
		f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		m.must(err)
		n := m.rng.Uint32()
		_, err = f.WriteString(m.turn(session, "user", fmt.Sprintf("u%d", n), "Wire the "+m.phrase()+" and test it") +
			m.turn(session, "assistant", fmt.Sprintf("a%d", n), "We decided to use the "+m.token()+
				" relay because the pump draws seven ampere. TODO: test "+m.token()+" outdoors."))
		m.must(err)
		m.must(f.Close())
	}
	long := m.now().Add(-time.Hour) // its client is not running
	m.must(os.Chtimes(name, long, long))
	return m.hook("archive", session, map[string]any{"transcript_path": name})
}

func (m *machine) hook(name, session string, payload map[string]any) error {
	payload["session_id"], payload["cwd"] = session, m.dir
	b, err := json.Marshal(payload)
	m.must(err)
	return m.gitmem(string(b), "hook", name)
}

// callTools logs tool calls of a session, and commits the log at the end of a turn.
func (m *machine) callTools() error {
	session := fmt.Sprintf("%d%s000000-18be-494e-9c54-6e697febc51c", m.rng.IntN(3), m.name)
	for range 1 + m.rng.IntN(2) {
		call := map[string]any{"tool_name": "Bash", "tool_input": map[string]string{"command": "echo " + m.token()}}
		if err := m.hook("post-tool-use", session, call); err != nil {
			return err
		}
	}
	return m.hook("stop", session, map[string]any{})
}

// loseIndex deletes the cache and archives what it finds.
func (m *machine) loseIndex() error {
	err := os.RemoveAll(m.path("gitmem/.index"))
	for range 1000 { // a background process may be writing to it
		if err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
		err = os.RemoveAll(m.path("gitmem/.index"))
	}
	m.must(err)
	return m.gitmem("", "backfill")
}

// forget removes a line permanently.
func (m *machine) forget() error {
	var there []string
	for _, rel := range m.sorted(func(rel string) bool { return strings.HasSuffix(rel, "/MEMORY.md") }) {
		there = slices.AppendSeq(there, tokensOf(m.files[rel]))
	}
	if len(there) == 0 {
		return nil
	}
	tok := oneOf(m.rng, there)
	m.say("  %s", tok)
	err := m.gitmem("", "forget", "--yes", `"`+tok+`"`)
	if err == nil && !strings.Contains(m.read(m.memory()+"MEMORY.md"), tok) {
		m.about(tok, func(k *token) { k.forgot = true })
	}
	return err
}
