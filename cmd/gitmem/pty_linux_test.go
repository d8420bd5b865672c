package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// openPty opens a pseudo terminal: what is written to slave is read from master.
func openPty(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo terminals here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Skipf("no pseudo terminals here: %v", err)
	}
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Skipf("the pseudo terminal stays locked: %v", err)
	}
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo terminals here: %v", err)
	}
	t.Cleanup(func() { slave.Close() })
	return master, slave
}

// onTerminal runs the program with standard output and standard error on separate terminals, and returns what
// they showed.
func (d *desk) onTerminal(t *testing.T, env []string, args ...string) (out, errs string) {
	t.Helper()
	outMaster, outSlave := openPty(t)
	errMaster, errSlave := openPty(t)
	c := exec.Command(d.bin, args...)
	c.Dir, c.Stdout, c.Stderr = d.repo, outSlave, errSlave
	c.Env = append(append(d.env[:len(d.env):len(d.env)], "TERM=xterm"), env...)
	d.check(c.Start())
	outSlave.Close()
	errSlave.Close()
	shown := make(chan string, 1)
	go func() { shown <- readTerminal(outMaster) }()
	errs = readTerminal(errMaster)
	out = <-shown
	if err := c.Wait(); err != nil {
		t.Fatalf("%s: %v\n%s%s", strings.Join(args, " "), err, out, errs)
	}
	return out, errs
}

// readTerminal reads until the last writer has closed, which Linux reports as EIO.
func readTerminal(master *os.File) string {
	var b bytes.Buffer
	if _, err := io.Copy(&b, master); err != nil && !errors.Is(err, syscall.EIO) {
		fmt.Fprintf(&b, "read terminal: %v", err)
	}
	return strings.ReplaceAll(b.String(), "\r\n", "\n")
}

func TestTerminal(t *testing.T) {
	t.Parallel()
	d := newDesk(t)

	// The first question builds the index: a bar is drawn and cleared before the answer.
	out, errs := d.onTerminal(t, nil, "ask", "why did we drop Redis?")
	if !regexp.MustCompile(`indexing [a-z]+ \[ *=? *\]? *`).MatchString(errs) {
		t.Errorf("no progress bar on standard error: %q", errs)
	}
	const cleared = "\r\x1b[K"
	if !strings.HasSuffix(errs, cleared) {
		t.Errorf("the bar is not cleared: %q", errs)
	}
	for _, want := range []string{
		string(cyan) + "[git:commit:", // a citation
		string(dim) + "  > Redis was", // a quote
		"verdict: \x1b[3",             // any colour
	} {
		if !strings.Contains(out, want) {
			t.Errorf("standard output lacks %q:\n%q", want, out)
		}
	}
	if strings.Contains(out, cleared) || strings.Contains(out, "indexing") {
		t.Errorf("the bar is on standard output: %q", out)
	}

	// If there is nothing to index there is no bar.
	if _, errs := d.onTerminal(t, nil, "ask", "why did we drop Redis?"); errs != "" {
		t.Errorf("standard error of a warm question: %q", errs)
	}

	// The text is the same without colours if they are off.
	piped := d.run("", "ask", "why did we drop Redis?").out
	if plain := regexp.MustCompile("\x1b\\[[0-9]*m").ReplaceAllString(out, ""); plain != piped {
		t.Errorf("a pipe gets %q, a terminal %q", piped, plain)
	}
	for _, env := range []string{"NO_COLOR=1", "TERM=dumb"} {
		if out, _ := d.onTerminal(t, []string{env}, "ask", "why did we drop Redis?"); out != piped {
			t.Errorf("%s: a terminal shows %q", env, out)
		}
	}
	if out, _ := d.onTerminal(t, nil, "ask", "--json", "why did we drop Redis?"); strings.Contains(out, "\x1b") {
		t.Errorf("JSON on a terminal has escape codes: %q", out)
	}

	// The bar of a backfill shows the current action.
	for word, args := range map[string][]string{"archiving [": {"backfill", "--all", "--dry-run"},
		"deriving [": {"backfill", "--all", "--again"}} {
		d.run("", "backfill", "--all")
		if _, errs := d.onTerminal(t, nil, args...); !strings.Contains(errs, word) || !strings.HasSuffix(errs, cleared) {
			t.Errorf("%v: no bar of %s: %q", args, word, errs)
		}
	}
}

// TestAdoptQuestion: on a terminal a clone of memory is adopted if a person answers yes to one question,
// otherwise only with the flag.
func TestAdoptQuestion(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]bool{"y\n": true, "Yes\n": true, "n\n": false, "\n": false} {
		master, slave := openPty(t)
		var out bytes.Buffer
		a := &app{in: slave, out: &out, outTTY: true}
		if _, err := master.WriteString(answer); err != nil {
			t.Fatal(err)
		}
		if got := a.mayAdopt("/h/.claude/.git", "git@example.org:me/memory.git"); got != want {
			t.Errorf("%q: got %t", answer, got)
		}
		if says := out.String(); says != "/h/.claude/.git is a clone of memory from git@example.org:me/memory.git. Commit "+
			"to it on this machine from now on? [y/N] " {
			t.Errorf("asked %q", says)
		}
	}
	if a := (&app{in: strings.NewReader("y\n"), out: io.Discard}); a.mayAdopt("d", "") {
		t.Error("adopted without a terminal")
	}
}

// TestInstallAsks: install asks once whether questions may use the user's claude, and stores the answer.
func TestInstallAsks(t *testing.T) {
	t.Parallel()
	const question = "May gitmem ask use your claude to research questions?"
	d := newDesk(t)
	install := func(answer string) string {
		t.Helper()
		master, slave := openPty(t)
		c := exec.Command(d.bin, "install")
		c.Dir, c.Env, c.Stdin, c.Stdout, c.Stderr = d.repo, append(d.env[:len(d.env):len(d.env)], "TERM=xterm"),
			slave, slave, slave
		d.check(c.Start())
		slave.Close()
		_, err := io.WriteString(master, answer+"\nn\n") // the second one is for the other questions
		d.check(err)
		shown := readTerminal(master)
		d.check(c.Wait())
		return shown
	}
	config := filepath.Join(d.home, ".claude", "gitmem", "local.yaml")
	for answer, want := range map[string]string{"": "agent: off\n", "y": "agent:\n  backend: claude\n"} {
		d.check(os.RemoveAll(config))
		if shown := install(answer); !strings.Contains(shown, question) {
			t.Errorf("nothing is asked:\n%s", shown)
		}
		if b, err := os.ReadFile(config); err != nil || string(b) != want {
			t.Errorf("%q: %q, %v", answer, b, err)
		}
		if shown := install("y"); strings.Contains(shown, question) {
			t.Errorf("it is asked again:\n%s", shown)
		}
	}
}
