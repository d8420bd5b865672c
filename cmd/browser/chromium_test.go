package browser

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// chromium is a running browser.
type chromium struct {
	ctx context.Context
	log string // network log, written at its end
}

// names prevents name resolution for the browser's vendor, which it contacts by itself on any page.
const names = "MAP rebound.example 127.0.0.1, MAP *.google.com ~NOTFOUND, MAP *.googleapis.com ~NOTFOUND, " +
	"MAP *.gvt1.com ~NOTFOUND"

// startChromium starts a browser, which ends with the test.
func startChromium(t *testing.T) *chromium {
	t.Helper()
	program := os.Getenv("CHROMIUM")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); program == "" && err == nil {
			program = found
		}
	}
	if program == "" {
		t.Skip("SKIPPED: the pages of gitmem browse need Chromium and there is none")
	}
	c := &chromium{log: filepath.Join(t.TempDir(), "net.json")}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(program), chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(1200, 900), chromedp.Headless,
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("host-resolver-rules", names), chromedp.Flag("log-net-log", c.log),
		chromedp.Flag("disable-features", "OptimizationHints,MediaRouter,Translate,AutofillServerCommunication"),
	}
	for _, off := range []string{"background-networking", "component-update", "sync", "extensions", "default-apps",
		"domain-reliability", "dev-shm-usage", "client-side-phishing-detection"} {
		options = append(options, chromedp.Flag("disable-"+off, true))
	}
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	var stop context.CancelFunc
	c.ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(func() {
		_ = chromedp.Cancel(c.ctx) // waits until it has written its log
		stop()
		cancel()
		stayed(t, c.log)
	})
	if err := chromedp.Do(c.ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	return c
}

// tab is a page of the browser.
type tab struct {
	t   testing.TB
	ctx context.Context

	mu       sync.Mutex
	requests []string // requested addresses
	dialogs  []string
	errors   []string // of scripts
}

// tab opens a page, for at most the duration of a test.
func (c *chromium) tab(t testing.TB) *tab {
	t.Helper()
	ctx, stop := chromedp.NewContext(c.ctx)
	b := &tab{t: t}
	listen := func(ev any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch ev := ev.(type) {
		case *network.EventRequestWillBeSent:
			b.requests = append(b.requests, ev.Request.URL)
		case *page.EventJavascriptDialogOpening:
			b.dialogs = append(b.dialogs, ev.Message)
		case *runtime.EventExceptionThrown:
			d := ev.ExceptionDetails
			b.errors = append(b.errors, fmt.Sprintf("%s:%d: %s", d.URL, d.LineNumber+1, d.Text))
		}
	}
	if err := chromedp.Listen(ctx, listen); err != nil {
		t.Fatal(err)
	}
	var timeout context.CancelFunc
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	b.ctx, timeout = context.WithTimeout(ctx, 10*time.Minute)
	t.Cleanup(func() { timeout(); stop() })
	call(b, network.Enable, network.EnableParams{})
	watch := page.AddScriptToEvaluateOnNewDocumentParams{Source: source(t, "watch.js")}
	call(b, page.AddScriptToEvaluateOnNewDocument, watch)
	return b
}

// call sends a command of the DevTools protocol.
func call[P, R any](b *tab, command cdp.Command[P, R], params P) R {
	b.t.Helper()
	out, err := chromedp.Run(b.ctx, func(ctx context.Context, target *chromedp.Target) (R, error) {
		return cdp.Call(ctx, target, command, params)
	})
	if err != nil {
		b.t.Fatalf("%s: %v", command.Method, err)
	}
	return out
}

// eval returns the awaited value of an expression in the page.
func eval[T any](b *tab, expression string, args ...any) T {
	b.t.Helper()
	out, err := tried[T](b, expression, args...)
	if err != nil {
		b.t.Fatalf("%s: %v", clip(expression, 400), err)
	}
	return out
}

// tried is eval for pages that may be closed meanwhile.
func tried[T any](b *tab, expression string, args ...any) (out T, err error) {
	values := make([]any, len(args))
	for i, a := range args {
		text, err := json.Marshal(a)
		if err != nil {
			return out, err
		}
		values[i] = string(text)
	}
	if len(args) > 0 {
		expression = fmt.Sprintf(expression, values...)
	}
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

//go:embed scripts/*.js
var scripts embed.FS

func source(t testing.TB, name string) string {
	t.Helper()
	text, err := scripts.ReadFile("scripts/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// script returns the result of a function in a file for one argument, "" for none.
func script[T any](b *tab, name, argument string) T {
	b.t.Helper()
	return eval[T](b, "("+strings.ReplaceAll(source(b.t, name), "%", "%%")+"\n)(%s)", argument)
}

// until waits until an expression is true.
func (b *tab) until(expression string, args ...any) {
	b.t.Helper()
	if !b.soon(20*time.Second, expression, args...) {
		b.t.Fatalf("at %s: it did not come to this: %s %v\n%s",
			eval[string](b, "location.href"), expression, args, clip(b.text(), 600))
	}
}

// soon reports whether an expression becomes true within a time.
func (b *tab) soon(wait time.Duration, expression string, args ...any) bool {
	b.t.Helper()
	for end := time.Now().Add(wait); ; time.Sleep(20 * time.Millisecond) {
		if is, err := tried[bool](b, "!!("+expression+")", args...); is && err == nil {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}

// shown is true once the requested page is displayed.
const shown = `document.readyState === "complete" && document.getElementById("main") &&
  !document.getElementById("main").hasAttribute("aria-busy") && document.getElementById("main").childElementCount > 0`

// enter opens the pages like a person who clicks the printed address.
func (b *tab) enter(s *server) {
	b.t.Helper()
	b.visit(s.address)
	b.until(`location.pathname !== "/open"`)
	b.until(shown)
}

// visit opens an address as if typed.
func (b *tab) visit(address string) {
	b.t.Helper()
	if eval[string](b, "location.href.split('#')[0]") == strings.SplitN(address, "#", 2)[0] {
		b.blank() // otherwise a browser only navigates within the page
	}
	if err := chromedp.Do(b.ctx, chromedp.Navigate(address)); err != nil {
		b.t.Fatalf("%s: %v", address, err)
	}
}

func (b *tab) blank() {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, chromedp.Navigate("about:blank")); err != nil {
		b.t.Fatal(err)
	}
}

// see opens a page of a server on which enter was called, and waits until it is displayed.
func (b *tab) see(s *server, path string) {
	b.t.Helper()
	b.visit(s.base + path)
	b.until(shown)
	b.settle()
}

// settle waits until nothing is being loaded or drawn.
func (b *tab) settle() {
	b.t.Helper()
	eval[bool](b, `new Promise((done) =>
		requestIdleCallback(() => requestAnimationFrame(() => done(true)), {timeout: 2000}))`)
}

// text returns the text of the page.
func (b *tab) text() string {
	b.t.Helper()
	return eval[string](b, `(document.getElementById("main") || document.body).innerText`)
}

// key presses keys. A key that the page handles is not typed.
func (b *tab) key(keys string) {
	b.t.Helper()
	for _, r := range keys {
		events := kb.Encode(r)
		down, up := *events[0], *events[len(events)-1]
		if len(events) == 3 {
			down.Text, down.UnmodifiedText = events[1].Text, events[1].UnmodifiedText
		}
		call(b, input.DispatchKeyEvent, down)
		call(b, input.DispatchKeyEvent, up)
	}
}

// size sets the size of the window and the colour scheme.
func (b *tab) size(width int64, scheme string) {
	b.t.Helper()
	call(b, emulation.SetDeviceMetricsOverride,
		emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 900, DeviceScaleFactor: 1, Mobile: width < 500})
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}})
}

// foreign returns the requests so far to other machines.
func (b *tab) foreign() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(b.requests), func(address string) bool {
		u, err := url.Parse(address)
		return err == nil && (u.Hostname() == "127.0.0.1" || u.Scheme == "about")
	})
}

// clip returns the beginning of a text.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + " …"
}
