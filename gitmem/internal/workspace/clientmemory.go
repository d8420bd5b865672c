package workspace

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/gitmem/gitmem/providers/git"
)

// maxSettings is the maximum size of a client settings file, in bytes.
const maxSettings = 1 << 20

// ClientMemory is the part of a project's memory that the client itself loads when a session begins.
type ClientMemory struct {
	Dir     string // folder of the MEMORY.md, "" for none
	Setting string // the setting that determines it, "" for the client's default
}

// ClientMemory returns which MEMORY.md the client loads at a place: the one in the project's folder, unless a setting
// names another folder (autoMemoryDirectory) or none (autoMemoryEnabled). Project settings take precedence over the
// user's.
func (w *Workspace) ClientMemory(p *Place) ClientMemory {
	out := ClientMemory{Dir: filepath.Join(w.ClientDir, filepath.FromSlash(MemoryDir(p)))}
	enabled, by := true, ""
	files := []string{filepath.Join(w.ClientDir, "settings.json")}
	if top := p.Loc.WorkTree; top != "" {
		dir := filepath.Join(top, ".claude")
		files = append(files, filepath.Join(dir, "settings.json"), filepath.Join(dir, "settings.local.json"))
	}
	for _, file := range files { // the last one wins
		set := readMemorySettings(file)
		if set.AutoMemoryEnabled != nil {
			enabled, by = *set.AutoMemoryEnabled, "autoMemoryEnabled in "+file
		}
		if dir := w.memoryDirectory(set.AutoMemoryDirectory); dir != "" {
			out = ClientMemory{Dir: dir, Setting: "autoMemoryDirectory in " + file}
		}
	}
	switch strings.ToLower(w.Options.Getenv("CLAUDE_CODE_DISABLE_AUTO_MEMORY")) {
	case "1", "true", "yes", "on":
		enabled, by = false, "CLAUDE_CODE_DISABLE_AUTO_MEMORY"
	case "0", "false", "no", "off":
		enabled = true
	}
	if !enabled {
		return ClientMemory{Setting: by}
	}
	return out
}

// LoadsOwn reports whether the client loads the MEMORY.md that gitmem writes for a place.
func (w *Workspace) LoadsOwn(p *Place) bool {
	return RealPath(w.ClientMemory(p).Dir) == RealPath(w.Path(MemoryDir(p)))
}

// memorySettings are the client's settings for its memory.
type memorySettings struct {
	AutoMemoryEnabled   *bool
	AutoMemoryDirectory string
}

// readMemorySettings reads a client settings file. An unreadable one sets nothing, as in the client.
func readMemorySettings(file string) (set memorySettings) {
	b, err := git.ReadFile(file, maxSettings) // in a cloned repository it may be a link to an endless file
	if err != nil || json.Unmarshal(bytes.TrimPrefix(b, []byte("\ufeff")), &set) != nil {
		return memorySettings{}
	}
	return set
}

// memoryDirectory returns the folder in a value of autoMemoryDirectory, "" for none.
func (w *Workspace) memoryDirectory(value string) string {
	if rest, ok := strings.CutPrefix(value, "~/"); ok && w.Options.Home != "" {
		value = filepath.Join(w.Options.Home, filepath.FromSlash(rest))
	}
	if !filepath.IsAbs(value) {
		return ""
	}
	return filepath.Clean(value)
}
