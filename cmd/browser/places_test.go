package browser

import (
	"net/url"
	"os/exec"
	"strings"
)

// place is a page with a name and text that it contains.
type place struct{ name, path, holds string }

func (w *world) places() []place {
	return []place{
		{"ask", "/", "Ask"},
		{"answer", "/?q=which+relay+does+the+pump+need", "relay"},
		{"nothing", "/?q=zebra+crossing", ""},
		{"search", "/search?q=relay", "relay"},
		{"search-hostile", "/search?q=%3Cscript%3Ehit(1)%3C/script%3E+hidden", ""},
		{"sessions", "/sessions", "valve 29"},
		{"session", "/sessions/" + failing, "Why do the tests fail?"},
		{"session-rewound", "/sessions/" + rewound, "Rust"},
		{"session-codex", "/sessions/codex-" + codexID, "Choose a connector"},
		{"memory", "/memory", ""},
		{"memory-rules", "/memory?tab=rules&file=api", "tenant"},
		{"memory-hostile", "/memory?tab=rules&file=hostile", "Always rule"},
		{"memory-decisions", "/memory?tab=decisions", "Use 16 A relays"},
		{"memory-tasks", "/memory?tab=tasks", "Order the relays"},
		{"memory-orders", "/memory?tab=orders", "emojis"},
		{"memory-archive", "/memory?tab=archive", ""},
		{"memory-past", "/memory?tab=memory&asof=" + w.dayOf(30), "7 A"},
		{"forget", "/memory/forget?what=hidden", "These lines go"},
		{"profile", "/profile", "helix"},
		{"people", "/people", "Bob Example"},
		{"graph", "/graph", ""},
		{"team", "/team", ""},
		{"stats", "/stats", ""},
		{"commit", "/repos?commit=" + w.sha("HEAD~1"), "docs: subject"},
		{"file", "/repos?file=relay.c", "relay"},
		{"knows", "/people?path=src/api", "Bob Example"},
		{"source", "/show?id=git:commit:" + w.sha("HEAD~1"), "docs: subject"},
		{"file-hostile", "/repos?file=" + url.QueryEscape("docs/"+hostileNames()[0]), ""},
		{"knows-hostile", "/people?path=" + url.QueryEscape("docs/"+hostileNames()[4]), ""},
		{"graph-hostile", "/graph?words=" + url.QueryEscape(brief("words")), ""},
		{"sessions-hostile", "/sessions?q=" + url.QueryEscape(brief("q")) + "&agent=%3Cb%3E&project=%22%3E%3Cb%3E", ""},
		{"asof-hostile", "/profile?asof=" + url.QueryEscape(brief("asof")), ""},
		{"ask-hostile", "/?q=" + url.QueryEscape(brief("question")), ""},
		{"nowhere", "/nowhere", "there is no page /nowhere"},
	}
}

// sha returns the commit of a name.
func (w *world) sha(name string) string {
	cmd := exec.Command("git", "rev-parse", name)
	cmd.Dir, cmd.Env = w.repo, w.environ()
	out, err := cmd.Output()
	if err != nil {
		w.t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
