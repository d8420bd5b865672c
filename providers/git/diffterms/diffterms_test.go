package diffterms_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/markdown/linediff"
	"github.com/gitmem/gitmem/providers/git/diffterms"
)

// edit is one file before and after; a side that is "-" does not exist.
type edit struct{ path, before, after string }

// read returns the result for edits.
func read(edits ...edit) diffterms.Result {
	var r diffterms.Reader
	return readWith(&r, edits...)
}

func readWith(r *diffterms.Reader, edits ...edit) diffterms.Result {
	for _, e := range edits {
		f := diffterms.File{Path: e.path, Op: 'M', Old: []byte(e.before), New: []byte(e.after)}
		if e.before == "-" {
			f.Op, f.Old = 'A', nil
		}
		if e.after == "-" {
			f.Op, f.New = 'D', nil
		}
		f.Hunks = linediff.Diff(f.Old, f.New)
		r.File(&f)
	}
	return r.Result()
}

func TestGist(t *testing.T) {
	t.Parallel()
	const goFile = "package a\n\nfunc Open(p string) error {\n\tx := 1\n\treturn nil\n}\n\nfunc (c *Client) Close() {\n" +
		"\tc.done = true\n}\n"
	for _, tt := range []struct {
		name  string
		edits []edit
		want  string
	}{
		{"nothing", nil, ""},
		{"a new file", []edit{{"a/b.go", "-", goFile}}, "adds a/b.go (func Open, Client.Close)"},
		{"a file that goes", []edit{{"a/b.go", goFile, "-"}}, "removes a/b.go (func Open, Client.Close)"},
		{"a new function", []edit{{"b.go", goFile, goFile + "\nfunc Flush[T any]() {}\n"}},
			"adds func Flush; changes b.go +2 −0"},
		{
			"a new signature", []edit{{"b.go", goFile, strings.Replace(goFile, "p string", "p, q string", 1)}},
			"changes b.go +1 −1 (func Open)",
		},
		{
			"inside of a method",
			[]edit{{"b.go", goFile, strings.Replace(goFile, "\tc.done = true\n", "\tc.done = true\n\tc.wait()\n", 1)}},
			"changes b.go +1 −0 (func Client.Close)",
		},
		{
			"a function moves", []edit{{"a.go", "package a\n\nfunc Wait() {}\n", "package a\n"},
				{"b.go", "package a\n", "package a\n\nfunc Wait() {}\n"}},
			"moves func Wait from a.go to b.go; changes a.go +0 −2, b.go +2 −0",
		},
		{"a version", []edit{{"go.mod", "require example.org/x v1.2.3\n", "require example.org/x v1.3.0\n"}},
			"changes go.mod: example.org/x v1.2.3 → v1.3.0"},
		{"a word, often", []edit{{"x.txt", "an old one\nold\n", "an new one\nnew\n"}}, "changes x.txt: old → new (2×)"},
		{"tests come last", []edit{{"a_test.go", "", "func TestA() {\n}\n"}, {"b.go", "", "func A() {\n}\n"}},
			"adds func A, TestA; changes b.go +2 −0, a_test.go +2 −0"},
		{"generated", []edit{{"b.pb.go", "", "func A() {\n}\n"}, {"vendor/x/y.go", "", "func B() {\n}\n"}},
			"changes b.pb.go +2 −0, vendor/x/y.go +2 −0"},
		{"control characters", []edit{{"a\x1b[31m\u202eb.txt", "", "x\n"}}, "changes a[31mb.txt +1 −0"},
		{
			"a heading, not one in code",
			[]edit{{"a.md", "# A\n\n```\n# no\n```\n", "# A\n\n```\n# no\n# neither\n```\n\n## Usage\n"}},
			"adds section Usage; changes a.md +3 −0 (section A)",
		},
		{"below a heading", []edit{{"a.md", "# A\n\n## Usage\n\nx\n", "# A\n\n## Usage\n\ny z\n"}},
			"changes a.md: x → y z (section Usage)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := read(tt.edits...).Summary; got != tt.want {
				t.Errorf("gist %q,\nwant %q", got, tt.want)
			}
		})
	}
}

// TestDeclarations adds one line to a file of each language.
func TestDeclarations(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ path, line, want string }{
		{"a.go", "func (r *Repo[K, V]) Get(k K) V {", "func Repo.Get"},
		{"a.go", "type Group struct {", "type Group"},
		{"a.go", "const maxSize = 3", "const maxSize"},
		{"a.go", "// func Commented() {", ""},
		{"a.go", "function of what it does (x)", ""},
		{"a.py", "    async def fetch_all(self, x):", "def fetch_all"},
		{"a.py", "class Blueprint(Scaffold):", "class Blueprint"},
		{"a.py", "class of objects that are", ""},
		{"a.js", "export default async function load(x) {", "function load"},
		{"a.js", "const parse = (x) => {", "const parse"},
		{"a.js", "app.use = function use(fn) {", "function app.use"},
		{"a.js", "  render(view) {", "method render"},
		{"a.js", "  if (view) {", ""},
		{"a.js", "  it('should send', function(){", "it 'should send'"},
		{"a.ts", "export interface Props<T> extends Base {", "interface Props"},
		{"a.java", "    public static List<String> names(int n) {", "method names"},
		{"a.java", "    return names(3);", ""},
		{"a.kt", "private suspend fun load(x: Int): Int {", "fun load"},
		{"a.c", "static int read_index(struct repo *r)", "function read_index"},
		{"a.c", "\treturn read_index(r);", ""},
		{"a.c", "read_index(r);", ""},
		{"a.c", "#define MAX_SIZE 3", "#define MAX_SIZE"},
		{"a.h", "struct strbuf {", "struct strbuf"},
		{"a.cpp", "void Parser::next(int n) {", "function Parser::next"},
		{"a.rs", "    pub(crate) async fn open<P: AsRef<Path>>(p: P) -> Self {", "fn open"},
		{"a.rs", "pub struct Index {", "struct Index"},
		{"a.rb", "  def valid?", "def valid?"},
		{"a.rb", "class Post < Base", "class Post"},
		{"a.sh", "build_all() {", "function build_all"},
		{"a.sql", "CREATE TABLE users (", "TABLE users"},
		{"a.proto", "message Request {", "message Request"},
		{"a.md", "### Getting started ###", "section Getting started"},
		{"a.txt", "func Open() {", ""},
	} {
		want := "changes " + tt.path + " +1 −0"
		if tt.want != "" {
			want = "adds " + tt.want + "; " + want
		}
		if got := read(edit{tt.path, "", tt.line + "\n"}).Summary; got != want {
			t.Errorf("%s: %q gives %q, want %q", tt.path, tt.line, got, want)
		}
	}
}

func TestGistTellsFoldersFirst(t *testing.T) {
	t.Parallel()
	var r diffterms.Reader
	r.Folder("docs", 'A')
	r.Folder("docs/deep", 'A')
	r.Folder("old/", 'D')
	r.File(&diffterms.File{Path: "z.bin", Op: 'M', Opaque: true})
	r.File(&diffterms.File{Path: "new.txt", From: "before.txt", Op: 'M'})
	got := readWith(&r, edit{"docs/a.txt", "-", "x"}, edit{"docs/deep/b.txt", "-", "x"}, edit{"old/c.txt", "x", "-"},
		edit{"old/d.txt", "x", "-"}).Summary
	if want := "renames before.txt → new.txt; adds docs/ (2 files); removes old/ (2 files); changes z.bin"; got != want {
		t.Errorf("gist %q,\nwant %q", got, want)
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		edits []edit
		want  string
	}{
		{
			"declarations, then names of parts, then words",
			[]edit{{"a.go", "", "// Opens a session quietly.\nfunc OpenIt() {\n\tsess.readAll()\n}\n"}},
			"OpenIt readAll Opens session quietly sess",
		},
		{"what moved says nothing", []edit{{"a.txt", "alpha beta\ngamma\n", "gamma\nalpha beta\n"}}, ""},
		{"what moved between files neither", []edit{{"a.txt", "alpha\n", ""}, {"b.txt", "", "alpha\nomega\n"}}, "omega"},
		{"where an edit is", []edit{{"a.yml", "uses: checkout@v3\n", "uses: checkout@v4\n"}}, "uses checkout"},
		{"numbers, ids and long things are no words",
			[]edit{{"a.txt", "", "12 3abc deadbeef12 0x1F a1b2c3d4e5f6a7 " + strings.Repeat("x", 50) + "\n"}}, ""},
		{"other scripts", []edit{{"a.txt", "", "Größe — Öffnung…\n"}}, "Größe Öffnung"},
		{"generated and vendored", []edit{{"go.sum", "", "alpha\n"}, {"vendor/a.txt", "", "beta\n"},
			{"x.go", "", "// Code generated by x. DO NOT EDIT.\nfunc A() {}\n"}}, ""},
		{"long lines are data", []edit{{"a.txt", "", strings.Repeat("word ", 100) + "\n"}}, ""},
	} {
		if got := read(tt.edits...).Words; got != tt.want {
			t.Errorf("%s: words %q, want %q", tt.name, got, tt.want)
		}
	}
}

// checkLaws checks properties of every change.
func checkLaws(t *testing.T, edits ...edit) {
	t.Helper()
	got := read(edits...)
	if !utf8.ValidString(got.Summary) || utf8.RuneCountInString(got.Summary) > 160 ||
		strings.ContainsFunc(got.Summary, unicode.IsControl) {
		t.Fatalf("%q: gist %q", edits, got.Summary)
	}
	words := strings.Fields(got.Words)
	if strings.Join(words, " ") != got.Words || len(words) > 400 || len(got.Words) > 8<<10 ||
		!utf8.ValidString(got.Words) {
		t.Fatalf("%q: words %q", edits, got.Words)
	}
	seen := map[string]bool{}
	all := fmt.Sprint(edits)
	for _, w := range words {
		if seen[w] || !strings.Contains(all, w) {
			t.Fatalf("%q: word %q is there twice or is in no text", edits, w)
		}
		seen[w] = true
	}
	var r diffterms.Reader
	readWith(&r, edit{"x.go", "a\n", "func Other() {}\n"})
	if again := readWith(&r, edits...); again != got {
		t.Fatalf("%q: a used reader says %+v, a new one %+v", edits, again, got)
	}
}

func FuzzRead(f *testing.F) {
	for _, path := range []string{"a.go", "a.md", "a.js", "a.c", "a.py", "a.sql", "go.sum", "x"} {
		f.Add(path, "class A {\n  b() {\n", "# A\n```\nfunc (r *X) Y() {\n}\ndef z(:\n")
	}
	f.Add("\xff\n", "(", "func (")
	f.Add("a.js", "it('", "it('x\nexport \nget set(")
	f.Fuzz(func(t *testing.T, path, before, after string) {
		checkLaws(t, edit{path, before, after}, edit{"b.rb", "-", after}, edit{"c.h", before, "-"})
	})
}

func TestManyFiles(t *testing.T) {
	t.Parallel()
	var edits []edit
	for i := range 500 {
		text := ""
		for j := range 30 {
			text += fmt.Sprintf("func Name%dOf%s() {}\n", j, strings.Repeat("ab", i%9+1))
		}
		edits = append(edits, edit{fmt.Sprintf("dir%d/%s.go", i%7, strings.Repeat("long", i%30+1)), "-", text})
	}
	checkLaws(t, edits...)
	if got := read(edits...); !strings.HasPrefix(got.Summary, "adds 500 files") || len(strings.Fields(got.Words)) < 200 {
		t.Errorf("gist %q with %d words", got.Summary, len(strings.Fields(got.Words)))
	}
}
