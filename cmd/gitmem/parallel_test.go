package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// parallelHooks is one session whose client calls tools in parallel.
type parallelHooks struct {
	*storm
	dir string
}

// observe runs one hook of a tool call like the client.
func (p *parallelHooks) observe(session, call, command string) error {
	payload, err := json.Marshal(map[string]any{
		"session_id": session, "cwd": p.dir, "hook_event_name": "PostToolUse", "tool_name": "Bash",
		"tool_use_id": call, "tool_input": map[string]string{"command": command},
	})
	if err != nil {
		return err
	}
	c := p.command("gitmem", "hook", "post-tool-use")
	c.Stdin = strings.NewReader(string(payload))
	if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
		return fmt.Errorf("%s: %w\n%s", command, err, out)
	}
	return nil
}

// found returns the citations of search results, by the quoted call.
func (p *parallelHooks) found(words string, limit int) map[string]string {
	p.t.Helper()
	c := p.command("gitmem", "search", "--json", "--limit", fmt.Sprint(limit), words)
	c.Dir = p.dir
	out, err := c.Output()
	var hits struct {
		Hits []struct{ ID, Excerpt string }
	}
	if jsonErr := json.Unmarshal(out, &hits); err != nil || jsonErr != nil {
		p.t.Fatalf("search: %v, %v\n%.2000s", err, jsonErr, out)
	}
	ids := map[string]string{}
	for _, h := range hits.Hits {
		for _, word := range strings.Fields(h.Excerpt) {
			if strings.HasPrefix(word, "call") {
				ids[word] = h.ID
			}
		}
	}
	return ids
}

func newParallelHooks(t *testing.T) *parallelHooks {
	p := &parallelHooks{storm: newStorm(t)}
	p.dir = filepath.Join(p.home, "pump")
	p.must("git", "init", "--quiet", p.dir)
	p.must("git", "-C", p.dir, "commit", "--quiet", "--allow-empty", "--message", "first")
	return p
}

// TestParallelHooks lets one session's client call 8 tools at a time, with a process for each hook: every
// call is found and has its own citation. The full form has 8 times 500 calls: go test ./cmd/gitmem -run
// ParallelHooks -parallelcalls 500
func TestParallelHooks(t *testing.T) {
	t.Parallel()
	const session, workers = "3f2a91c4-18be-494e-9c54-6e697febc51c", 8
	per := numberFlag(t, "parallelcalls")
	p := newParallelHooks(t)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for n := range per {
				name := fmt.Sprintf("call%dx%d", w, n)
				id := "toolu_" + name
				if w%2 == 1 {
					id = "" // like a client without ids
				}
				if err := p.observe(session, id, "tighten flange "+name); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	ids := p.found("flange", workers*per+1)
	unique := map[string]bool{}
	for _, id := range ids {
		unique[id] = true
	}
	if len(ids) != workers*per || len(unique) != len(ids) {
		t.Errorf("of %d calls %d are found, with %d citations", workers*per, len(ids), len(unique))
	}
	c := p.command("gitmem", "show", ids["call7x1"])
	c.Dir = p.dir
	if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "tighten flange call7x1") {
		t.Errorf("show %s: %v\n%s", ids["call7x1"], err, out)
	}
}

// TestSessionsThatBeginAlike has two sessions whose ids share eight characters.
func TestSessionsThatBeginAlike(t *testing.T) {
	t.Parallel()
	p := newParallelHooks(t)
	sessions := []string{"3f2a91c4-18be-494e-9c54-6e697febc51c", "3f2a91c4-77aa-494e-9c54-6e697febc51c"}
	for i, session := range sessions {
		if err := p.observe(session, fmt.Sprint("toolu_", i), fmt.Sprintf("tighten flange call%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	ids := p.found("flange", 10)
	for i, session := range sessions {
		if id := ids[fmt.Sprint("call", i)]; !strings.HasPrefix(id, "observation:"+session+":") {
			t.Errorf("the call of session %s is cited as %q", session, id)
		}
	}
	if logs, err := filepath.Glob(filepath.Join(p.root(), "gitmem", "projects", "*", "*", "observations", "*",
		"*.md")); len(logs) != 2 || err != nil {
		t.Errorf("logs %v, %v", logs, err)
	}
}
