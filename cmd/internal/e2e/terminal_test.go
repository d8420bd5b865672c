//go:build e2e && linux

package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/gitmem/gitmem/cmd/internal/e2e"
)

// terminal is the client used by a person: on a pseudo terminal.
type terminal struct {
	d      *desk
	master *os.File
	cmd    *exec.Cmd
	ended  chan struct{}

	mu    sync.Mutex
	shown []byte
}

// open starts the client on a terminal, after its initial setup.
func (d *desk) open(m *e2e.Model, args ...string) *terminal {
	d.t.Helper()
	d.onboard()
	master, slave := d.pty()
	c := exec.Command(os.Getenv(clientVar), append([]string{"--model", theModel, "--permission-mode", "acceptEdits",
		"--allowedTools=Bash,Read,Write,Edit,Task,Agent,Skill"}, args...)...)
	c.Dir, c.Env = d.project, append(d.clientEnv(m), "TERM=xterm-256color")
	c.Stdin, c.Stdout, c.Stderr = slave, slave, slave
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := c.Start(); err != nil {
		d.t.Fatal(err)
	}
	slave.Close()
	term := &terminal{d: d, master: master, cmd: c, ended: make(chan struct{})}
	go term.pump()
	d.t.Cleanup(func() {
		_ = c.Process.Kill()
		<-term.ended
		if d.t.Failed() {
			d.t.Logf("the terminal showed:\n%s", term.text())
		}
	})
	d.await("the client's prompt", func() bool { return strings.Contains(term.text(), "❯") })
	return term
}

// onboard stores the answers to the client's initial questions in its state.
func (d *desk) onboard() {
	d.t.Helper()
	known := map[string]any{}
	if b, err := os.ReadFile(d.config(".claude.json")); err == nil {
		if err := json.Unmarshal(b, &known); err != nil {
			d.t.Fatal(err)
		}
	}
	known["hasCompletedOnboarding"], known["theme"] = true, "dark"
	known["customApiKeyResponses"] = map[string]any{"approved": []string{"test"}}
	known["projects"] = map[string]any{d.project: map[string]any{"hasTrustDialogAccepted": true}}
	b, err := json.Marshal(known)
	if err != nil {
		d.t.Fatal(err)
	}
	d.write(d.config(".claude.json"), string(b))
}

// pty opens a pseudo terminal of 40 lines.
func (d *desk) pty() (master, slave *os.File) {
	d.t.Helper()
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		d.t.Skipf("SKIPPED: no pseudo terminals here: %v", err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 120})
	}
	if err != nil {
		d.t.Skipf("SKIPPED: no pseudo terminals here: %v", err)
	}
	master = os.NewFile(uintptr(fd), "/dev/ptmx")
	d.t.Cleanup(func() { master.Close() })
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		d.t.Skipf("SKIPPED: no pseudo terminals here: %v", err)
	}
	return master, slave
}

// pump records the output until the client has ended.
func (term *terminal) pump() {
	buf := make([]byte, 1<<16)
	for {
		n, err := term.master.Read(buf)
		term.mu.Lock()
		term.shown = append(term.shown, buf[:n]...)
		term.mu.Unlock()
		if err != nil {
			break
		}
	}
	_ = term.cmd.Wait()
	close(term.ended)
}

// text returns all output so far, without control sequences.
func (term *terminal) text() string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return escapes().ReplaceAllString(string(term.shown), "")
}

func escapes() *regexp.Regexp {
	return regexp.MustCompile("\x1b(\\[[0-9;?<>=]*[a-zA-Z]|\\][^\x07\x1b]*(\x07|\x1b\\\\)|[()][0-9A-B]|[=>78])")
}

// typed writes a line like a person: the text, and Enter once it is shown.
func (term *terminal) typed(line string) {
	term.d.t.Helper()
	began := len(term.text())
	term.press(line)
	squeezed := strings.ReplaceAll(line, " ", "")
	term.d.await(fmt.Sprintf("the terminal to show %q", line), func() bool {
		return strings.Contains(strings.ReplaceAll(term.text()[began:], " ", ""), squeezed[:min(len(squeezed), 20)])
	})
	term.press("\r")
}

// said waits until the terminal shows a text.
func (term *terminal) said(text string) {
	term.d.t.Helper()
	squeezed := strings.ReplaceAll(text, " ", "")
	term.d.await(fmt.Sprintf("the terminal to show %q", text), func() bool {
		return strings.Contains(strings.ReplaceAll(term.text(), " ", ""), squeezed)
	})
}

// turns waits until the client has finished this many turns of this session.
func (term *terminal) turns(n int) {
	term.d.t.Helper()
	term.d.await(fmt.Sprintf("%d finished turns", n), func() bool {
		return strings.Count(term.d.transcript(""), `"subtype":"turn_duration"`) >= n
	})
}

// rewind undoes the last prompt: Esc twice, one up, and Enter for it and for the proposed action. Then it
// clears the input box, to which the client returns the prompt.
func (term *terminal) rewind() {
	term.d.t.Helper()
	for _, step := range []struct{ keys, shows string }{
		{"\x1b\x1b", "Restore the code"}, {"\x1b[A\r", "Never mind"}, {"\r", "✔"},
	} {
		term.press(step.keys)
		term.said(step.shows)
	}
	term.d.await("the returned prompt", func() bool {
		term.press("\x15")
		return strings.Contains(term.text(), "to paste deleted text")
	})
}

func (term *terminal) press(keys string) {
	term.d.t.Helper()
	if _, err := term.master.WriteString(keys); err != nil {
		term.d.t.Fatal(err)
	}
}

// left waits for the client's end.
func (term *terminal) left() {
	term.d.t.Helper()
	term.d.await("the client's end", func() bool {
		select {
		case <-term.ended:
			return true
		default:
			return false
		}
	})
}
