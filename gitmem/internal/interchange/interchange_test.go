package interchange_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/interchange"
)

// zipped is a zip of files: names and texts in turn.
func zipped(t *testing.T, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err == nil {
			_, err = w.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// read reads a zip as the export of a tool.
func read(t *testing.T, from, zip string) (map[string]interchange.Entry, string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "export.zip")
	if err := os.WriteFile(name, []byte(zip), 0o600); err != nil {
		t.Fatal(err)
	}
	files, skipped, err := interchange.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	entries, unread := interchange.Read(from, files)
	out := map[string]interchange.Entry{}
	for _, e := range entries {
		out[e.Path] = e
	}
	if len(out) != len(entries) {
		t.Errorf("%d paths of %d entries", len(out), len(entries))
	}
	return out, strings.Join(append(skipped, unread...), "\n")
}

const (
	idA = "0123456789abcdef0123456789abcdef"
	idB = "1123456789abcdef0123456789abcdef"
	idD = "2123456789abcdef0123456789abcdef"
	idR = "3123456789abcdef0123456789abcdef"
)

// TestNotion reads an export as Notion writes it: zips in a zip, ids in names, a database as CSV
// with pages of its rows.
func TestNotion(t *testing.T) {
	t.Parallel()
	const top = "Export-8d9fa5a4-2b7c-4a3e-9d0e-1f2a3b4c5d6e/Private & Shared/"
	zip := zipped(t,
		"ExportBlock-8d9fa5a4-2b7c-4a3e-9d0e-1f2a3b4c5d6e-Part-1.zip", zipped(t,
			top+"Relay board "+idA+".md",
			"# Relay board: bring-up\n\nCreated: November 20, 2026 2:03 PM\nTags: electronics, relay\n\n"+
				"See [Range (test)](Relay%20board%20"+idA+"/Range%20(test)%20"+idB+".md), [the tasks](Tasks%20"+idD+".csv) and "+
				"[the web](https://example.org/a.md).\n\n![x](image.png)\n",
			top+"index.html", "<html></html>", top+"image.png", "x"),
		"ExportBlock-8d9fa5a4-2b7c-4a3e-9d0e-1f2a3b4c5d6e-Part-2.zip", zipped(t,
			top+"Relay board "+idA+"/Range (test) "+idB+".md", "# Range (test)\n\nBack to [Relay board](../Relay%20board%20"+idA+
				".md)\n",
			top+"Tasks "+idD+".csv", "Name,Status\nOnly one,Open\n",
			top+"Tasks "+idD+"_all.csv", "\ufeffName,Status\nRelay driver,Blocked\n\"A|B\nC\",Done,more\n",
			top+"Tasks "+idD+"/Relay driver "+idR+".md", "# Relay driver\n\nStatus: Blocked\n"))
	got, skipped := read(t, "notion", zip)
	const dir = "Private & Shared/"
	want := map[string][3]string{
		dir + "Relay board.md": {"Relay board: bring-up", "2026-11-20T14:03:00Z", "# Relay board: bring-up\n\n" +
			"Created: November 20, 2026 2:03 PM\nTags: electronics, relay\n\nSee [[" + dir +
			"Relay board/Range (test)|Range (test)]], " +
			"[[" + dir + "Tasks|the tasks]] and [the web](https://example.org/a.md).\n\n![x](image.png)\n"},
		dir + "Relay board/Range (test).md": {"Range (test)", "", "# Range (test)\n\nBack to [[" + dir +
			"Relay board|Relay board]]\n"},
		dir + "Tasks.csv": {"Tasks", "", "# Tasks\n\n| Name | Status |\n| --- | --- |\n| Relay driver | Blocked |\n" +
			"| A\\|B<br>C | Done | more |\n"},
		dir + "Tasks/Relay driver.md": {"Relay driver", "", "# Relay driver\n\nStatus: Blocked\n"},
	}
	for p, w := range want {
		e := got[p]
		if diff := cmp.Diff(w, [3]string{e.Title, e.Time, e.Text}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", p, diff)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d pages", len(got))
	}
	a := got[dir+"Relay board.md"]
	if diff := cmp.Diff([]string{"electronics", "relay"}, a.Tags); diff != "" || a.Source != "notion "+idA+".md" {
		t.Error(diff, a.Source)
	}
	for _, want := range []string{"index.html: no page", "image.png: no text", "Tasks " + idD + ".csv: its rows are in"} {
		if !strings.Contains(skipped, want) {
			t.Errorf("skipped lacks %q:\n%s", want, skipped)
		}
	}
}

// some are entries of each kind, with links.
func some() []interchange.Entry {
	list := []interchange.Entry{
		{Kind: "note", ID: "memory:p#notes", Title: "MEMORY", Project: "p", Time: "2026-11-20", Trust: "mine",
			Path: "MEMORY.md",
			Text: "# MEMORY\n\nSee [[relays|the relays]], [relays](relays.md) & <b>[[#^i-81c2d0k7qa]]</b> `[[relays]]`.\n\n" +
				"```go\nif a < b && c[\"]]>\"] {}\n```\n\n- one\n- two  \n  three\n\n***\n"},
		{Kind: "note", ID: "memory:p/relays.md", Title: "relays", Project: "p", Trust: "model", Path: "relays.md",
			Tags: []string{"a"},
			Text: "They click.\x01\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"},
		{Kind: "decision", ID: "decision:2026-11-20-use-16-a", Title: "Use 16 A", Project: "p", Time: "2026-11-20",
			Trust: "reviewed",
			State: "accepted", Evidence: []string{"task:relay-driver", "git:commit:abc"}, Text: "\n# Use 16 A\n\nWhy\n"},
		{Kind: "session", ID: "session:2026-11-20#s-3f2a91c4", Title: "Relays", Project: "p", Time: "2026-11-20T14:02:00Z",
			Trust: "untrusted", Text: "## Relays ^s-3f2a91c4\n\n- [decision] Use 10 A (L4 14:22) ^i-81c2d0k7qa\n"},
		{Kind: "task", ID: "task:relay-driver", Title: "Relay \"driver\"", Project: "p", State: "blocked", Reason: "no board",
			Trust: "mine"},
		{Kind: "task", ID: "task:range", Title: "Range", Project: "p", State: "completed", Trust: "model"},
		{Kind: "profile", ID: "profile:tools.editor", Title: "tools.editor", Text: "Neovim", Trust: "mine"},
		{Kind: "note", ID: "memory:p/x-1.md#x", Title: "../../CON", Project: "p", Trust: "mine", Imported: true,
			Path: "a/../../b:c/CON.md", Text: "x\n"},
	}
	interchange.Sort(list)
	return list
}

func files(t *testing.T, to string) map[string]string {
	t.Helper()
	got, err := interchange.Files(to, some())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for name, text := range got {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			t.Errorf("%s leads out", name)
		}
		out[name] = string(text)
	}
	return out
}

func holds(t *testing.T, files map[string]string, name string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(files[name], w) {
			t.Errorf("%s lacks %q:\n%s", name, w, files[name])
		}
	}
}

// TestToNotion writes pages whose links are relative, and tasks as a database.
func TestToNotion(t *testing.T) {
	t.Parallel()
	got := files(t, "notion")
	holds(t, got, "Notes/MEMORY.md",
		"# MEMORY\n\nKind: note\nProject: p\nTime: 2026-11-20\nTrust: mine\nCitation: memory:p#notes\n\nSee ",
		"[the relays](relays.md), [relays](relays.md)", "[Relays](../Sessions/2026-11-20%20Relays.md)</b> `[[relays]]`")
	holds(t, got, "Decisions/2026-11-20-use-16-a.md", "Evidence: [task:relay-driver](../Tasks.csv), `git:commit:abc`")
	holds(t, got, "Tasks.csv", "Name,Status,Reason,Project,Time,Trust,Citation\nRange,completed,,p,,model,task:range\n"+
		"\"Relay \"\"driver\"\"\",blocked,no board,p,,mine,task:relay-driver\n")
	holds(t, got, "Profile.md", "- tools.editor: Neovim\n")
	holds(t, got, "Notes/b-c/_CON.md", "Trust: imported\n")
}

// confluencePage is a page as Confluence exports it.
func confluencePage(crumbs, title, body, rest string) string {
	return `<!DOCTYPE html><html><head><title>Firmware : ` + title +
		`</title></head><body class="theme-default aui-theme-default">` +
		`<div id="page"><div id="main" class="aui-page-panel"><div id="main-header"><div id="breadcrumb-section"><ol ` +
		`id="breadcrumbs">` +
		`<li class="first"><span><a href="index.html">Firmware</a></span></li>` + crumbs +
		`</ol></div><h1 id="title-heading" ` +
		`class="pagetitle"><span id="title-text">Firmware : ` + title + `</span></h1></div><div id="content" class="view">` +
		`<div class="page-metadata">Created by <span class='author'> Ada</span> on Oct 02, 2026, last modified by <span ` +
		`class='editor'> Bob</span> on Nov 20,
  2026</div><div id="main-content" class="wiki-content group">` + body + `</div>` + rest +
		`</div></div><div id="footer" role="contentinfo"><p>Document generated by Confluence on Nov 21, 2026 ` +
		`05:24</p></div></div></body></html>`
}

// TestConfluence reads a space as Confluence exports it: an index, breadcrumbs, macros, attachments.
func TestConfluence(t *testing.T) {
	t.Parallel()
	got, skipped := read(t, "confluence", zipped(t,
		"FW/index.html",
		`<html><body><div id="main"><ul><li><a href="Relays_100.html">Relays</a></li></ul></div></body></html>`,
		"FW/Relays_100.html", confluencePage("", "Relays",
			`<h2 id="Relays-Range">Range</h2><p><img class="emoticon emoticon-tick" alt="(tick)" src="x.png"/> See <a `+
				`href="200.html">the `+
				`<strong>range</strong> test</a>, <a href="https://example.org">the web</a>.<br/>Next.</p>`+
				`<div class="confluence-information-macro confluence-information-macro-warning"><span class="aui-icon `+
				`confluence-information-macro-icon"></span><div class="confluence-information-macro-body"><p>Never under `+
				`load</p></div></div>`+
				`<div class="code panel pdl"><div class="codeContent panelContent pdl"><pre class="syntaxhighlighter-pre" `+
				`data-syntaxhighlighter-params="brush: bash; gutter: false; theme: Confluence">echo "&lt;hi&gt;"
exit 0</pre></div></div>`+
				`<ul class="inline-task-list"><li class="checked" data-inline-task-id="1"><span>Ship</span></li><li>Tell</li></ul>`+
				`<div class="table-wrap"><table class="confluenceTable"><tbody><tr><th `+
				`colspan="100000000">a</th><th>b</th></tr><tr><td>1</td>`+
				`<td>2</td></tr></tbody></table></div><script>alert(1)</script>`,
			`<div class="pageSection group"><div class="pageSectionHeader"><h2 id="attachments" `+
				`class="pageSectionTitle">Attachments:</h2>`+
				`</div><div class="greybox"><a href="attachments/100/501.html">x.html</a></div></div>`+
				`<div class="pageSection group"><div class="pageSectionHeader"><h2 id="comments" `+
				`class="pageSectionTitle">Comments:</h2>`+
				`</div><table><tr><td><p>Which relay?</p></td></tr></table></div>`),
		"FW/200.html", confluencePage(`<li><span><a href="Relays_100.html">Relays</a></span></li>`, "Range/test",
			`<p>The snake_case_name_ is <code>a\\_b</code>. Back to <a href="Relays_100.html#Relays-Range">Relays</a></p>`, ""),
		"FW/attachments/100/501.html", "<p>attached</p>", "FW/attachments/100/502.png", "x", "FW/styles/site.css", "x",
		"FW/deep.html", strings.Repeat("<div>", 100_000)))
	relays := got["Relays.html"]
	const want = "## Range\n\n(tick) See [[Relays/Range-test|the range test]], [the web](https://example.org).  \n" +
		"Next.\n\n" +
		"> [!warning]\n> \n> Never under load\n\n```bash\necho \"<hi>\"\nexit 0\n```\n\n- [x] Ship\n- [ ] Tell\n\n" +
		"| a | b |\n|---|---|\n| 1 | 2 |\n\n## Comments:\n\n|              |\n|--------------|\n| Which relay? |\n"
	if diff := cmp.Diff(want, relays.Text); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if relays.Title != "Relays" || relays.Time != "2026-11-20" || relays.Source != "confluence 100" {
		t.Errorf("%+v", relays)
	}
	if below := got["Relays/Range-test.html"]; below.Title != "Range/test" ||
		below.Text != "The snake_case_name_ is `a\\\\_b`. Back to [[Relays]]\n" {
		t.Errorf("%+v", below)
	}
	for _, want := range []string{"index.html: no page of Confluence", "501.html: an attachment", "502.png: no text",
		"site.css: no text",
		"deep.html: no page"} {
		if !strings.Contains(skipped, want) {
			t.Errorf("skipped lacks %q:\n%s", want, skipped)
		}
	}
	if len(got) != 2 {
		t.Errorf("%d pages", len(got))
	}
}

// TestToConfluence writes well-formed pages in storage format, with anchors, links and macros.
func TestToConfluence(t *testing.T) {
	t.Parallel()
	got := files(t, "confluence")
	for name, text := range got {
		d := xml.NewDecoder(strings.NewReader("<page>" + text + "</page>"))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Errorf("%s: %v\n%s", name, err, text)
				break
			}
		}
	}
	holds(t, got, "Notes/MEMORY.xhtml", `<tr><th>citation</th><td>memory:p#notes</td></tr>`,
		`See <ac:link><ri:page ri:content-title="relays" /><ac:plain-text-link-body><![CDATA[the `+
			`relays]]></ac:plain-text-link-body></ac:link>`,
		`<ac:link ac:anchor="i-81c2d0k7qa"><ri:page ri:content-title="2026-11-20 Relays" />`, `&amp; &lt;b&gt;`,
		`<code>[[relays]]</code>`,
		`<ac:parameter ac:name="language">go</ac:parameter><ac:plain-text-body><![CDATA[if a < b && c["]]]]><![CDATA[>"] {}`,
		"<br />", "<hr />")
	holds(t, got, "Sessions/2026-11-20 Relays.xhtml", `<ac:parameter ac:name="">i-81c2d0k7qa</ac:parameter>`)
	holds(t, got, "Tasks.xhtml", `<ac:task-list>`,
		`<ac:task-status>complete</ac:task-status><ac:task-body>Range (by a model)<ac:structured-macro`,
		`<ac:parameter ac:name="">task-relay-driver</ac:parameter>`)
	holds(t, got, "Notes/relays.xhtml", "<td>1</td>", "They click.")
}
