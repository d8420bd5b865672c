package workspace

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/gitmem/gitmem/providers/git"
)

// maxSettings is how many bytes of a file of the client's settings are read.
const maxSettings = 1 << 20

// ClientMemory is what the client loads of a project's memory by itself when a session begins.
type ClientMemory struct {
	Dir     string // folder whose MEMORY.md it loads, "" for none
	Setting string // what says so, "" where it is the client's default
}

// ClientMemory finds out which MEMORY.md the client loads at a place: the one in the project's folder,
// unless a setting names another folder (autoMemoryDirectory) or none (autoMemoryEnabled). The settings of
// a project count before the user's.
func (w *Workspace) ClientMemory(p *Place) ClientMemory {
	out := ClientMemory{Dir: filepath.Join(w.ClientDir, filepath.FromSlash(MemoryDir(p)))}
	enabled, by := true, ""
	files := []string{filepath.Join(w.ClientDir, "settings.json")}
	if top := p.Loc.WorkTree; top != "" {
		dir := filepath.Join(top, ".claude")
		files = append(files, filepath.Join(dir, "settings.json"), filepath.Join(dir, "settings.local.json"))
	}
	for _, file := range files { // the last one counts
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

// LoadsOwn reports whether the client loads the MEMORY.md of a place that gitmem writes.
func (w *Workspace) LoadsOwn(p *Place) bool {
	return RealPath(w.ClientMemory(p).Dir) == RealPath(w.Path(MemoryDir(p)))
}

// memorySettings are the client's settings of its memory.
type memorySettings struct {
	AutoMemoryEnabled   *bool
	AutoMemoryDirectory string
}

// readMemorySettings reads a file of the client's settings. One that can't be read sets nothing, as for
// the client.
func readMemorySettings(file string) (set memorySettings) {
	b, err := git.ReadFile(file, maxSettings) // a cloned repository's may be a link to what has no end
	if err != nil || json.Unmarshal(bytes.TrimPrefix(b, []byte("\ufeff")), &set) != nil {
		return memorySettings{}
	}
	return set
}

// memoryDirectory is the folder that a value of autoMemoryDirectory names, "" for none.
func (w *Workspace) memoryDirectory(value string) string {
	if rest, ok := strings.CutPrefix(value, "~/"); ok && w.Options.Home != "" {
		value = filepath.Join(w.Options.Home, filepath.FromSlash(rest))
	}
	if !filepath.IsAbs(value) {
		return ""
	}
	return filepath.Clean(value)
}
