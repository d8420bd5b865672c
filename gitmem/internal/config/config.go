package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"gopkg.in/yaml.v3"
)

// Config is the combined configuration of config.yaml and local.yaml.
type Config struct {
	Capture         bool // hooks write sessions to memory
	Exclude         []Rule
	ArchiveAgents   []string // agents other than Claude Code whose sessions are archived, by name
	KeepTranscripts bool     // keep transcripts after the client deletes them
	Recall          bool     // add related memory to prompts
	RecallNotice    bool     // show the person the source of recalled memory
	CrossProject    bool     // give programs that the client runs the memory of all projects
	// Expand is the query expansion: none, minimal or full; "" for the default of the search.
	Expand string
	// IndexTools selects which parts of a transcript are indexed besides messages and plans: ToolsOn, ToolsNames or
	// ToolsOff.
	IndexTools string
	Embed      Embed
	Agent      Agent
	// Providers maps the names of allowed providers to the hashes of their allowed definitions.
	Providers map[string]string
	Forges    Forges
	Jira      Jira
	// FetchWait is how long a question waits for a forge or a tracker, 0 for the default.
	FetchWait time.Duration
	SyncAuto  bool // sync at the start and the end of sessions
}

// Values of Config.IndexTools.
const (
	ToolsOn    = "on"    // tool calls, their results, and thinking
	ToolsNames = "names" // calls only
	ToolsOff   = "off"   // none of these
)

// Default returns the configuration without a file.
func Default() Config {
	return Config{Capture: true, Recall: true, RecallNotice: true, IndexTools: ToolsOn}
}

// maxBytes is the maximum size of a file, far more than a person writes.
const maxBytes = 1 << 20

// Parse parses a local.yaml. Missing keys have the values of [Default]. The error names a line, its key and the fix.
func Parse(src []byte) (Config, error) { return Default().With(src) }

// With returns the configuration with the keys of a local.yaml overriding its own; the exclude lists are merged.
func (c Config) With(src []byte) (Config, error) {
	top, err := document(src)
	if err != nil {
		return Config{}, err
	}
	if top == nil {
		return c, nil
	}
	c.Exclude = slices.Clip(c.Exclude)
	if err := fields(top, "keys with values are expected, as in capture: off", c.fields()); err != nil {
		return Config{}, err
	}
	return c, nil
}

// document returns the root mapping of a file, or nil if it is empty.
func document(src []byte) (*yaml.Node, error) {
	if len(src) > maxBytes {
		return nil, errors.New("line 1: the file is larger than 1 MiB: it can't be a configuration")
	}
	var doc, second yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(src))
	err := dec.Decode(&doc)
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err == nil {
		if err = dec.Decode(&second); err == nil {
			return nil, fmt.Errorf("line %d: a second document begins: remove the line ---", second.Line)
		}
	}
	if !errors.Is(err, io.EOF) {
		return nil, syntaxError(src, err)
	}
	if isNull(doc.Content[0]) {
		return nil, nil
	}
	return doc.Content[0], nil
}

// fields returns the keys of a file.
func (c *Config) fields() []field {
	const onOff = "on or off"
	return []field{
		{"capture", onOff, toggle(&c.Capture)},
		{"exclude", "", rules(&c.Exclude)},
		{"archive_agents", "a list of agents such as [codex, gemini]", c.setArchiveAgents},
		{"expand", "none, minimal or full",
			oneOf(&c.Expand, "not known: write none, minimal (acronyms) or full (synonyms too)", "none", "minimal", "full")},
		{"index_tools", onOff, c.setTools},
		{"keep_transcripts", onOff, toggle(&c.KeepTranscripts)},
		{"recall", onOff, toggle(&c.Recall)},
		{"recall_notice", onOff, toggle(&c.RecallNotice)},
		{"cross_project", onOff, toggle(&c.CrossProject)},
		{"embed", "builtin, off, or model: and its name", c.Embed.set},
		{"agent", "off, or backend: and its name", c.Agent.set},
		{"providers", "names with hashes, as gitmem provider allow writes them", func(n *yaml.Node) error {
			if n.Decode(&c.Providers) != nil {
				return errorAt(n, "no names with hashes: gitmem provider allow writes them")
			}
			return nil
		}},
		{"forges", "off, or a list of hosts", c.Forges.set},
		{"jira", "off, or url: and projects:", c.Jira.set},
		{"fetch_wait", "a time such as 10s", c.setFetchWait},
		{"sync", "auto or off", func(n *yaml.Node) error {
			if on, ok := boolOf(n); n.Value != "auto" && (!ok || on) {
				return errorAt(n, "not known: write auto or off")
			}
			c.SyncAuto = n.Value == "auto"
			return nil
		}},
	}
}

// setTools accepts the same words for on and off as other switches, of which YAML 1.2 has fewer.
func (c *Config) setTools(n *yaml.Node) error {
	if on, ok := boolOf(n); ok {
		c.IndexTools = map[bool]string{true: ToolsOn, false: ToolsOff}[on]
		return nil
	}
	return oneOf(&c.IndexTools, "neither on nor names nor off: write one of them", ToolsNames)(n)
}

// setArchiveAgents accepts a list of names. It does not check whether the agents exist.
func (c *Config) setArchiveAgents(n *yaml.Node) error {
	if n.Decode(&c.ArchiveAgents) != nil {
		return errorAt(n, "no list of names: write one such as [codex, gemini]")
	}
	return nil
}

// Limits of fetch_wait: with less no server answers in time, and more looks like a hang.
const shortestWait, longestWait = 100 * time.Millisecond, 5 * time.Minute

func (c *Config) setFetchWait(n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode {
		return errorAt(n, "no time: write one such as 10s")
	}
	d, err := time.ParseDuration(n.Value)
	switch {
	case err != nil:
		return errorAt(n, "%q is no time: write one such as 500ms, 10s or 2m", n.Value)
	case d < shortestWait || d > longestWait:
		return errorAt(n, "%s is no time to wait: write one from 100ms to 5m; forges: off and jira: off ask nobody", n.Value)
	}
	c.FetchWait = d
	return nil
}
