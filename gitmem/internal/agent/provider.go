package agent

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/markdown"
)

// Provider is an external source that a model may query during research. It has Model Context Protocol servers, which a
// file of the user or of a plugin defines.
type Provider struct {
	Name    string           `json:"name"`
	File    string           `json:"file"`
	Servers []ProviderServer `json:"servers"`
	Tools   []string         `json:"tools"`  // allowed tools, as mcp__server__tool
	Prompt  string           `json:"prompt"` // instructions for the model
	Hash    string           `json:"hash"`   // of the file
	State   ProviderState    `json:"state"`
	Problem string           `json:"problem"` // why the definition is invalid
}

// ProviderServer is a server of a provider: either a program or an address.
type ProviderServer struct {
	Name    string        `json:"name"`
	Command string        `json:"command"`
	Args    []string      `json:"args"`
	URL     string        `json:"url"`
	Timeout time.Duration `json:"-"` // for the start and for each call
}

// prefix returns the prefix of the qualified names of a server's tools.
func (s ProviderServer) prefix() string { return "mcp__" + s.Name + "__" }

// ProviderState is the permission of a provider.
type ProviderState string

// The states of providers.
const (
	ProviderOff     ProviderState = "off"
	ProviderAllowed ProviderState = "allowed"
	ProviderChanged ProviderState = "changed" // since it was allowed; it is not used
	ProviderInvalid ProviderState = "invalid"
)

// usualTimeout is the default timeout for the start of a provider's server and for a call.
const usualTimeout = 10 * time.Second

// mostDefinition is the maximum size of a definition, in bytes.
const mostDefinition = 1 << 20

// pluginFile is the definition in a plugin's folder; it may contain other settings.
const pluginFile = "han-plugin.yml"

// Providers returns all defined providers, sorted by name.
func (a *Agent) Providers() []Provider {
	var out []Provider
	own := filepath.Join(a.ws.Root, "gitmem", "providers")
	files, _ := fs.Glob(os.DirFS(own), "*.md") // the pattern is valid
	for _, f := range files {
		out = append(out, a.provider(strings.TrimSuffix(f, ".md"), filepath.Join(own, f), readOwn))
	}
	var installed struct {
		Plugins map[string][]struct{ InstallPath string }
	}
	list := filepath.Join(a.ws.ClientDir, "plugins", "installed_plugins.json")
	b, err := os.ReadFile(list)
	if err == nil {
		err = json.Unmarshal(b, &installed)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		out = append(out, Provider{Name: "plugins", File: list, State: ProviderInvalid, Problem: err.Error()})
	}
	for _, name := range slices.Sorted(maps.Keys(installed.Plugins)) {
		for _, at := range installed.Plugins[name][:min(1, len(installed.Plugins[name]))] {
			p := a.provider(name, filepath.Join(at.InstallPath, pluginFile), readPlugin)
			if filepath.IsAbs(p.File) && p.Hash != "" && (len(p.Servers) > 0 || p.Problem != "") {
				out = append(out, p)
			}
		}
	}
	return out
}

// provider reads a definition. The hash is empty if the file does not exist.
func (a *Agent) provider(name, file string, read func(p *Provider, src []byte) error) Provider {
	p := Provider{Name: name, File: file, Servers: []ProviderServer{}, Tools: []string{}, State: ProviderOff}
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return p
	}
	var src []byte
	if err == nil && (!info.Mode().IsRegular() || info.Size() > mostDefinition) {
		err = fmt.Errorf("it is no file of at most %d bytes", mostDefinition)
	} else if err == nil {
		src, err = os.ReadFile(file)
	}
	p.Hash = fmt.Sprintf("%x", sha256.Sum256(src))
	if err == nil {
		err = read(&p, src)
	}
	allowed, known := a.ws.Policy().Config.Providers[name]
	switch {
	case err != nil:
		p.State, p.Problem = ProviderInvalid, strings.Join(strings.Fields(err.Error()), " ")
	case known && allowed == p.Hash:
		p.State = ProviderAllowed
	case known:
		p.State = ProviderChanged
	}
	return p
}

// readPlugin parses a plugin's definition. A plugin without servers or without their tools is not a provider.
func readPlugin(p *Provider, src []byte) error {
	var d struct {
		Servers map[string]struct {
			Type, Command string
			Args          []string
			URL           string
			Other         map[string]any `yaml:",inline"`
		} `yaml:"mcp_servers"`
		Memory struct {
			Tools  []string `yaml:"allowed_tools"`
			Prompt string   `yaml:"system_prompt"`
		}
	}
	src = bytes.ReplaceAll(src, []byte("${CLAUDE_PLUGIN_ROOT}"), []byte(filepath.ToSlash(filepath.Dir(p.File))))
	if err := yaml.Unmarshal(src, &d); err != nil || len(d.Memory.Tools) == 0 {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(d.Servers)) {
		s := d.Servers[name]
		for key := range s.Other {
			return fmt.Errorf("%s: %s is not known: a server has command and args, or url", name, key)
		}
		p.Servers = append(p.Servers, ProviderServer{name, s.Command, messages.Filled(s.Args), s.URL, usualTimeout})
	}
	p.Tools, p.Prompt = d.Memory.Tools, d.Memory.Prompt
	return p.check()
}

// readOwn parses a definition of the user: one server with the file's name.
func readOwn(p *Provider, src []byte) error {
	var d struct {
		Command string
		Args    []string
		URL     string
		Tools   []string `yaml:"allowed_tools"`
		Timeout time.Duration
	}
	doc := markdown.Parse(src)
	switch {
	case doc.Front == nil:
		return errors.New("it has no frontmatter: write command: or url:, and allowed_tools:, between two lines ---")
	case doc.Front.Err != nil:
		return doc.Front.Err
	}
	fields, err := yaml.Marshal(doc.Front.Fields)
	if err != nil {
		return err
	}
	strict := yaml.NewDecoder(bytes.NewReader(fields))
	strict.KnownFields(true)
	if err := strict.Decode(&d); err != nil {
		return err
	}
	server := ProviderServer{p.Name, d.Command, messages.Filled(d.Args), d.URL, cmp.Or(d.Timeout, usualTimeout)}
	p.Servers = []ProviderServer{server}
	for _, t := range d.Tools {
		p.Tools = append(p.Tools, server.prefix()+strings.TrimPrefix(t, server.prefix()))
	}
	p.Prompt = string(doc.Body.Of(src))
	return p.check()
}

var (
	serverForm = lazy.Pattern(`^[A-Za-z0-9]+([_-][A-Za-z0-9]+)*$`)
	toolForm   = lazy.Pattern(`^[A-Za-z0-9_-]{1,64}$`)
)

// check validates a definition.
func (p *Provider) check() error {
	for _, s := range p.Servers {
		switch {
		case !serverForm().MatchString(s.Name) || s.Name == serverName:
			return fmt.Errorf("%q can't be a server's name: write letters, digits, - and _, and not %s", s.Name, serverName)
		case (s.Command == "") == (s.URL == ""):
			return fmt.Errorf("%s needs either command or url", s.Name)
		case strings.ContainsAny(s.Command, `/\`) && !filepath.IsAbs(s.Command):
			return fmt.Errorf("%s: command is no name of a program on PATH and no absolute path", s.Name)
		case s.Timeout < time.Second || s.Timeout > time.Minute:
			return fmt.Errorf("%s: timeout is no time from 1s to 1m", s.Name)
		}
	}
	for _, t := range p.Tools {
		ofServer := func(s ProviderServer) bool { return strings.HasPrefix(t, s.prefix()) && t != s.prefix() }
		if !slices.ContainsFunc(p.Servers, ofServer) || !toolForm().MatchString(t) { // models accept only such names
			return fmt.Errorf("allowed_tools: %q is no tool of a server here: write mcp__, the server's name, __ and the tool's",
				t)
		}
	}
	if len(p.Tools) == 0 {
		return errors.New("allowed_tools names no tool, and no other may be called")
	}
	return nil
}

// named returns the provider with a name.
func (a *Agent) named(name string) (Provider, error) {
	all := a.Providers()
	var names []string
	for _, p := range all {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Provider{}, &messages.Refusal{Reason: fmt.Sprintf("there is no provider %q", name), Err: messages.ErrNotFound,
		Advice: "known are " + cmp.Or(strings.Join(names, ", "), "none") + "; gitmem help providers tells how one is defined"}
}

// Allow permits a provider until its definition changes.
func (a *Agent) Allow(ctx context.Context, name string) (Provider, error) {
	p, err := a.named(name)
	if err == nil && p.Problem != "" {
		err = fmt.Errorf("%w: %s: %s", messages.ErrUsage, path.Base(filepath.ToSlash(p.File)), p.Problem)
	}
	if err != nil {
		return p, err
	}
	p.State = ProviderAllowed
	return p, a.ws.AllowProvider(ctx, name, p.Hash)
}

// Forbid revokes the permission of a provider.
func (a *Agent) Forbid(ctx context.Context, name string) error {
	if a.ws.Policy().Config.Providers[name] == "" {
		return &messages.Refusal{Reason: fmt.Sprintf("no provider %q is allowed", name), Advice: "gitmem provider lists them",
			Err: messages.ErrNotFound}
	}
	return a.ws.AllowProvider(ctx, name, "")
}
