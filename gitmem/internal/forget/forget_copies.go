package forget

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// dropKept records that the kept transcripts of a session are removed.
func (f *Forgetting) dropKept(session string) {
	session, _, _ = strings.Cut(session, "/")
	if base, n, ok := strings.Cut(session, "_"); ok && strings.Trim(n, "0123456789") == "" { // an older version
		session = base
	}
	if !transcript.ValidSessionID(session) {
		return
	}
	f.kept = append(f.kept, session)
	f.tombstones = append(f.tombstones, f.builder().Unit(ingest.KeptKind+session, ""))
}

// removeKept removes the kept transcripts, in all of the client's folders, and incomplete copies, which may contain any
// text.
func (f *Forgetting) removeKept() {
	ws := f.forgetter.ws
	remove := func(pattern, problem string) (n int) {
		found, _ := fs.Glob(os.DirFS(ws.KeptDir()), pattern) // the patterns are valid
		for _, rel := range found {
			if err := os.RemoveAll(filepath.Join(ws.KeptDir(), filepath.FromSlash(rel))); err != nil {
				ws.Caveat(problem, rel, err)
				continue
			}
			n++
		}
		return n
	}
	for _, depth := range []string{"*", "*/*/subagents"} {
		remove(depth+"/.gitmem-*", "The unfinished copy %s could not be removed: %v")
	}
	n := 0
	for _, session := range f.kept {
		for _, pattern := range []string{session + ".jsonl", session + "_*.jsonl", session} {
			n += remove("*/"+pattern, "The kept transcript %s could not be removed: %v")
		}
	}
	if n > 0 {
		ws.Caveat("What gitmem kept of the session's transcript was removed as a whole.")
	}
}

// eraseTraces removes lines with a forgotten text from the hook traces.
func (fg *Forgetter) eraseTraces(dir string, f *Forgetting) {
	files, _ := filepath.Glob(filepath.Join(dir, "*.jsonl")) // none if the folder's name is not a valid pattern
	needles := f.forgottenTexts()
	for _, name := range files {
		b, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) { // pruned meanwhile
			continue
		}
		var kept []byte
		for line := range strings.Lines(string(b)) {
			low := strings.ToLower(line)
			if !slices.ContainsFunc(needles, func(n string) bool { return strings.Contains(low, n) }) {
				kept = append(kept, line...)
			}
		}
		if err == nil && len(kept) < len(b) {
			err = osfile.Replace(name, "", osfile.Bytes(kept))
		}
		if err != nil {
			fg.ws.Caveat("The trace %s may hold what was forgotten: %v", name, err)
		}
	}
}

// forgottenTexts returns the removed texts in lower case, plain and as JSON strings.
func (f *Forgetting) forgottenTexts() []string {
	var out []string
	for _, t := range append(slices.Clone(f.texts), f.cutter.Literals...) {
		if t = strings.ToLower(strings.TrimSpace(t)); len(t) >= shortest {
			quoted, _ := json.Marshal(t) // a string can always be encoded
			out = append(out, t, strings.Trim(string(quoted), `"`))
		}
	}
	return out
}
