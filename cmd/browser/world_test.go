package browser

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// programs are gitmem, and the same program with an adjustable clock.
type programs struct{ gitmem, clocked string }

// building builds the programs once for all tests.
var building = sync.OnceValues(func() (programs, error) {
	dir := os.Getenv("GITMEM_BROWSER_DIR")
	p := programs{os.Getenv("GITMEM"), filepath.Join(dir, "clocked", "gitmem")} // a test binary goes by its name
	if p.gitmem == "" {
		p.gitmem = filepath.Join(dir, "gitmem")
		if err := in("../..", os.Environ(), "go", "build", "-o", p.gitmem, "./cmd/gitmem"); err != nil {
			return p, err
		}
	}
	return p, in("../..", os.Environ(), "go", "test", "-c", "-o", p.clocked, "./cmd/gitmem")
})

func build(t *testing.T) programs {
	t.Helper()
	p, err := building()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "gitmem-browser")
	if err != nil {
		panic(err)
	}
	if err := os.Setenv("GITMEM_BROWSER_DIR", dir); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// in runs a program in a folder.
func in(dir string, env []string, program string, args ...string) error {
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = dir, env
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %q: %w\n%s", program, args, err, out)
	}
	return nil
}

// world is a user with a repository, sessions and memory.
type world struct {
	t    *testing.T
	p    programs
	home string
	repo string
	now  time.Time
}

func newWorld(t *testing.T, p programs) *world {
	t.Helper()
	base := t.TempDir()
	w := &world{t: t, p: p, home: filepath.Join(base, "home"), repo: filepath.Join(base, "pump"), now: time.Now().UTC()}
	for _, dir := range []string{w.home, w.repo} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.repository()
	w.transcripts()
	w.memory()
	return w
}

// environ returns the environment of the programs: from the caller only PATH.
func (w *world) environ(extra ...string) []string {
	return append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + w.home, "TZ=UTC", "LANG=C.UTF-8", "GIT_CONFIG_NOSYSTEM=1",
		"XDG_CACHE_HOME=" + filepath.Join(w.home, ".cache"), "XDG_CONFIG_HOME=" + filepath.Join(w.home, ".config"),
		"GITMEM_NO_BACKGROUND=1", "GITMEM_OFFLINE=1", "GIT_AUTHOR_NAME=Ada Example", "GIT_AUTHOR_EMAIL=ada@example.org",
		"GIT_COMMITTER_NAME=Ada Example", "GIT_COMMITTER_EMAIL=ada@example.org",
	}, extra...)
}

// day returns noon some days ago.
func (w *world) day(ago int) time.Time {
	return time.Date(w.now.Year(), w.now.Month(), w.now.Day()-ago, 12, 0, 0, 0, time.UTC)
}

// at runs gitmem with the time of some days ago.
func (w *world) at(ago int, args ...string) {
	w.t.Helper()
	env := w.environ("GITMEM_TEST_NOW=" + w.day(ago).Format(time.RFC3339))
	if err := in(w.repo, env, w.p.clocked, args...); err != nil {
		w.t.Fatal(err)
	}
}

// file writes a file of the repository or below the home.
func (w *world) file(dir, name, text string) {
	w.t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// git runs git as a person some days ago.
func (w *world) git(ago int, person string, args ...string) {
	w.t.Helper()
	date, mail := w.day(ago).Format(time.RFC3339), strings.ToLower(strings.Fields(person)[0])+"@example.org"
	env := w.environ("GIT_AUTHOR_DATE="+date, "GIT_AUTHOR_NAME="+person, "GIT_AUTHOR_EMAIL="+mail,
		"GIT_COMMITTER_DATE="+date, "GIT_COMMITTER_NAME="+person, "GIT_COMMITTER_EMAIL="+mail)
	if err := in(w.repo, env, "git", args...); err != nil {
		w.t.Fatal(err)
	}
}

// commit commits everything.
func (w *world) commit(ago int, person, message string) {
	w.t.Helper()
	w.git(ago, person, "add", "-A")
	w.git(ago, person, "commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", message)
}

// repository creates a history of several people, one of whom reverts another's commit.
func (w *world) repository() {
	w.git(90, "Ada Example", "init", "-q", "-b", "main")
	w.file(w.repo, "CLAUDE.md", "# Rules\n\n- Never commit generated code.\n- Run `make lint` before you say done.\n")
	w.file(w.repo, "relay.c", "int relay;\n")
	w.commit(90, "Ada Example", "feat: add the relay driver\n\n"+
		"The relay is driven by a transistor because the pin is weak.")
	w.file(w.repo, ".claude/rules/api.md", "---\npaths: [\"src/api/**\"]\n---\n# API\n\n"+
		"- Every handler checks the tenant.\n- Errors name the way out.\n")
	w.file(w.repo, "src/api/handler.c", "int handler;\n")
	w.commit(70, "Bob Example", "feat(api): add the handler\n\nIt answers in 20 ms.")
	w.file(w.repo, "src/api/cache.c", "int cache;\n")
	w.commit(50, "Cara Example", "perf(api): keep answers in a cache\n\nThe handler asked the sensor each time.")
	w.git(48, "Bob Example", "revert", "--no-edit", "HEAD")
	for i := range 12 {
		w.file(w.repo, fmt.Sprintf("src/valve%d.c", i%4), fmt.Sprintf("int valve = %d;\n", i))
		person := []string{"Ada Example", "Bob Example", "Cara Example"}[i%3]
		w.commit(40-i, person, fmt.Sprintf("fix: valve %d closes in time", i))
	}
	for _, name := range hostileNames() {
		w.file(w.repo, "docs/"+name, "# "+hostile("file")+"\n")
	}
	w.commit(20, hostilePerson, "docs: "+line("subject")+"\n\n"+hostile("body"))
	w.file(w.repo, ".claude/rules/hostile.md", "---\npaths: [\""+`src/**\"><img src=x onerror=hit(1)>`+"\"]\n---\n"+
		"# "+line("rule")+"\n\n- Always "+line("rule")+"\n")
	w.commit(19, "Bob Example", "docs: rules")
}

// memory adds notes, decisions, tasks and preferences on several days.
func (w *world) memory() {
	w.at(60, "init")
	w.at(60, "note", "The pump draws 7 A at start")
	w.at(58, "decide", "Use 10 A relays", "--why", "the pump draws 7 A", "--alternatives", "5 A relays")
	w.at(58, "profile", "set", "tools.editor", "vim")
	w.at(55, "task", "add", "Measure the inrush current")
	w.at(52, "task", "add", "Order the relays")
	w.at(40, "decide", "Use 16 A relays", "--why", "the inrush is 12 A",
		"--supersedes", w.day(58).Format(time.DateOnly)+"-use-10-a-relays")
	w.at(35, "profile", "set", "tools.editor", "emacs")
	w.at(30, "profile", "set", "project.orders", "Run make lint before you say done")
	w.at(28, "profile", "set", "orders", "Never use emojis in answers")
	w.at(25, "profile", "set", "codePreferences.preferredStacks", "Go")
	w.at(20, "profile", "set", "tools.editor", "helix")
	w.at(18, "note", line("note"))
	w.at(17, "decide", line("decision"), "--why", line("why"), "--context", line("context"))
	w.at(16, "task", "add", brief("task"))
	w.at(15, "profile", "set", "tools.shell", brief("profile"))
	w.at(10, "note", "The valve closes in one second, see the data sheet")
	w.at(9, "index")
	w.at(8, "backfill")
	w.at(5, "note", "A note to be forgotten: the coffee machine is broken")
}

// server is a running gitmem browse.
type server struct {
	base    string // scheme, host and port
	address string // as printed
	pid     int
}

// browse starts the program and reads the address that it prints.
func (w *world) browse(t *testing.T, args ...string) *server {
	t.Helper()
	return browse(t, w.p.gitmem, w.repo, w.environ(), args...)
}

func browse(t *testing.T, program, dir string, env []string, args ...string) *server {
	t.Helper()
	cmd := exec.Command(program, append([]string{"browse", "--no-open"}, args...)...)
	cmd.Dir, cmd.Env, cmd.Stderr = dir, env, os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	scanner := bufio.NewScanner(out)
	for scanner.Scan() {
		for word := range strings.FieldsSeq(scanner.Text()) {
			if base, _, ok := strings.Cut(word, "/open#"); ok && strings.HasPrefix(base, "http://127.0.0.1:") {
				go func() { // drains later output
					for scanner.Scan() {
					}
				}()
				return &server{base, word, cmd.Process.Pid}
			}
		}
	}
	t.Fatalf("gitmem browse printed no address: %v", scanner.Err())
	return nil
}
