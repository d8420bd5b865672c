package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/cli/browser"
	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/cmd/internal/browse"
	"github.com/gitmem/gitmem/gitmem"
)

// browseOptions are the flags of browse.
type browseOptions struct {
	edit, noOpen bool
	export       string // file to write a page to
}

func (a *app) newBrowseCmd() *cobra.Command {
	var o browseOptions
	c := a.command("browse [citation | session | page]", "Show memory in the browser, until Ctrl-C", cobra.MaximumNArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) error {
			what := strings.Join(args, "")
			path, err := pagePath(ctx, m, what)
			if err != nil && o.export != "" && errors.Is(err, gitmem.ErrUsage) { // words to search for
				path, err = "/search?q="+url.QueryEscape(what), nil
			}
			if err != nil {
				return err
			}
			if o.export != "" {
				return a.exportPage(ctx, m, a.absolute(o.export), path)
			}
			return a.runBrowse(ctx, m, o, path)
		})
	c.Flags().BoolVar(&o.edit, "edit", false, "allow the pages to change memory")
	c.Flags().BoolVar(&o.noOpen, "no-open", false,
		"start no browser: print an address that opens the pages once, within a minute")
	c.Flags().StringVar(&o.export, "export", "",
		"start nothing: write the page, or a search for words, into this file, as one HTML document")
	return c
}

// exportPage writes a page to a new file.
func (a *app) exportPage(ctx context.Context, m *gitmem.Memory, name, path string) error {
	html, err := browse.Export(ctx, browse.Options{Memory: m, Now: a.now}, path)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(html)
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	fmt.Fprintf(a.out, "written: %s (%d KB)\nRead it before you send it: what is secret only to you can't be known.\n",
		name, (len(html)+1023)/1024)
	return nil
}

// pagePath returns the path of the page for a citation id, a session or a path; "" is the first page.
func pagePath(ctx context.Context, m *gitmem.Memory, what string) (string, error) {
	if what == "" || strings.HasPrefix(what, "/") {
		return cmp.Or(what, "/"), nil
	}
	src, err := m.Shown(ctx, what, gitmem.ShowOptions{})
	if err != nil {
		session := (&url.URL{Path: "/sessions/" + what}).String()
		if _, notSession := m.Shown(ctx, session, gitmem.ShowOptions{}); notSession == nil {
			return session, nil
		}
		return "", err
	}
	if !strings.HasPrefix(src.BrowseURL, "/") {
		err := &usageError{fmt.Errorf("%s has no page here", what)}
		return "", hintError{err, "it is at " + cmp.Or(src.URL, "no address")}
	}
	return src.BrowseURL, nil
}

// runBrowse serves the pages and opens one, until the context ends.
func (a *app) runBrowse(ctx context.Context, m *gitmem.Memory, o browseOptions, path string) error {
	boundGarbage()
	if o.edit && gitmem.InClient(a.getenv) {
		err := errors.New("inside a coding agent the pages change nothing, since a model may have started them")
		return hintError{&usageError{err}, "run it in a terminal of your own, or without --edit"}
	}
	tools, err := a.agentTools()
	if err != nil {
		return err
	}
	s, err := browse.New(browse.Options{Memory: m, Now: a.now, Edit: o.edit, Tools: tools})
	if err != nil {
		return err
	}
	defer s.Close()
	withdraw, err := s.Announce(a.browseRun(m))
	if err != nil {
		a.warn("other commands can't print the addresses of pages: " + errorText(err))
	} else {
		defer withdraw()
	}
	if o.noOpen {
		fmt.Fprintf(a.out, "%s\n", s.OpeningAddress(path))
		return s.Serve(ctx)
	}
	file, err := s.OpeningFile(a.browseDir(), path)
	if err != nil {
		return hintError{err, "gitmem browse --no-open writes no file: it prints an address to open"}
	}
	remove := time.AfterFunc(browse.CodeLife, func() { _ = os.Remove(file) }) // then the code has expired
	defer func() { remove.Stop(); _ = os.Remove(file) }()
	go a.startBrowser(file)
	fmt.Fprintf(a.out, "Memory is shown at %s/ until Ctrl-C.\n"+
		"If no page opens, run gitmem browse --no-open and open the address that it prints.\n", s.Address())
	return s.Serve(ctx)
}

// startBrowser opens a file in the user's browser.
func (a *app) startBrowser(file string) {
	browser.Stdout, browser.Stderr = io.Discard, io.Discard // output of browsers is not for this terminal
	at := url.URL{Scheme: "file", Path: filepath.ToSlash(file)}
	if runtime.GOOS == "windows" {
		at.Path = "/" + at.Path
	}
	if err := browser.OpenURL(at.String()); err != nil {
		a.warn("the browser could not be started: " + errorText(err))
	}
}

// browseDir returns the folder for data about open pages.
func (a *app) browseDir() string { return filepath.Join(a.cache, "gitmem", "browse") }

// browseRun returns the run file of the pages for this memory and this checkout.
func (a *app) browseRun(m *gitmem.Memory) string {
	checkout, _ := m.Checkout() // outside a repository, the folder
	sum := sha256.Sum256([]byte(m.Root() + "\x00" + cmp.Or(checkout, a.dir)))
	return filepath.Join(a.browseDir(), hex.EncodeToString(sum[:8])+".json")
}

// findPages looks for open pages of this memory in the browser, for [app.pageAddress].
func (a *app) findPages(ctx context.Context, m *gitmem.Memory) {
	if runs, err := os.ReadDir(a.browseDir()); err == nil && len(runs) > 0 && !a.json {
		a.pages = browse.Open(ctx, a.browseRun(m))
	}
}

// pageAddress returns the address of an open page for its path; "" if none is open or the path is not valid.
func (a *app) pageAddress(path string) string {
	if a.pages == "" || !strings.HasPrefix(path, "/") {
		return ""
	}
	return a.pages + path
}
