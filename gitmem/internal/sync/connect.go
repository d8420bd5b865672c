package sync

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/providers"
)

// origin is the name of the remote that [Syncer.To] and [Syncer.From] configure.
const origin = "origin"

// To makes an address the remote of this machine's memory, which it creates if missing, and synchronises with it. In an
// address that is a folder it creates a bare repository, unless there is one. It refuses a public repository.
func (y *Syncer) To(ctx context.Context, address string) (Report, error) {
	return y.connect(ctx, address, func(url string, folder bool) error {
		if folder {
			_, err := y.ws.Store.MakeBare(ctx, url)
			return err
		}
		return y.refusePublic(ctx, url)
	})
}

// From fetches another machine's memory from an address, and makes the address the remote of this machine's memory. It
// merges existing memory of this machine with it.
func (y *Syncer) From(ctx context.Context, address string) (Report, error) {
	return y.connect(ctx, address, func(url string, _ bool) error {
		s := y.ws.Store
		branch, _, err := s.Branch()
		if err != nil {
			return err
		}
		theirs, err := s.Fetch(ctx, origin, branch)
		if err != nil || theirs != "" {
			return err
		}
		others, err := s.RemoteBranches(ctx, origin)
		if err == nil && len(others) > 0 {
			return fmt.Errorf("no memory on branch %s of %s, which has %s: git -C %s switch -c NAME takes another one",
				branch, y.ws.Clean(url), strings.Join(others[:min(3, len(others))], ", "), s.Root())
		}
		return errors.Join(err, fmt.Errorf("no memory at %s: "+
			"gitmem sync --to puts it there, on the machine that has it", y.ws.Clean(url)))
	})
}

// connect configures the remote, checks it, and synchronises. A remote that fails the check is removed.
func (y *Syncer) connect(
	ctx context.Context, address string, check func(url string, folder bool) error,
) (Report, error) {
	url, folder := y.address(address)
	if err := y.checkAddress(url); err != nil {
		return Report{}, err
	}
	if err := y.ws.Writable(ctx); err != nil {
		return Report{}, err
	}
	s := y.ws.Store
	known, err := s.RemoteList()
	if err != nil {
		return Report{}, err
	}
	at := slices.IndexFunc(known, func(r store.Remote) bool { return r.Name == origin })
	switch {
	case at < 0:
		err = s.AddRemote(ctx, store.Remote{Name: origin, URL: url})
	case known[at].URL != url:
		err = fmt.Errorf("%w: memory is synchronised with %s already: git -C %s remote set-url origin changes that",
			store.ErrConflict, y.ws.Clean(known[at].URL), s.Root())
	}
	if err == nil {
		err = check(url, folder)
	}
	var r Report
	if err == nil {
		if r, err = y.Sync(ctx, Options{Remote: origin}); err != nil && !errors.Is(err, store.ErrForeign) {
			return r, err // the next synchronisation continues
		}
	}
	if errors.Is(err, exec.ErrNotFound) {
		return r, fmt.Errorf("%w, and none is installed", store.ErrNoGit)
	}
	if err != nil && at < 0 {
		err = errors.Join(err, s.RemoveRemote(ctx, origin))
	}
	return r, err
}

// address returns an address in the form that git takes: that of a folder is absolute.
func (y *Syncer) address(address string) (url string, folder bool) {
	colon, slash := strings.Index(address, ":"), strings.IndexAny(address, `/\`)
	if isRemote := strings.Contains(address, "://") || colon > 1 && (slash < 0 || colon < slash); isRemote {
		return address, false
	}
	if !filepath.IsAbs(address) {
		address = filepath.Join(y.ws.Options.Dir, address)
	}
	return address, true
}

// refusePublic returns an error for a public repository of a forge.
func (y *Syncer) refusePublic(ctx context.Context, url string) error {
	id, ok := store.NormaliseRemote(url)
	host, _, _ := strings.Cut(id, "/")
	_, known := providers.FindForge(func(f providers.Forge) bool { return f.Host == host })
	if !known {
		_, known = y.ws.Policy().Config.Forges.On(host)
	}
	if !ok || !known || !y.ws.Store.IsPublic(ctx, "https://"+id) {
		return nil
	}
	return fmt.Errorf("%w: anybody may read %s, and memory would be there as plain text: "+
		"make it private, or name another repository", errPublic, id)
}

var errPublic = errors.New("public repository")
