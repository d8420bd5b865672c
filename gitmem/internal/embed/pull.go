package embed

import (
	"context"
	"crypto/sha1" // git names blobs by it
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// Hub is where models are pulled from: Hugging Face or a server that answers as it
// does.
type Hub struct {
	Base   string // as HF_ENDPOINT has it
	Token  string // sent only over https or to this machine, and to no other host
	Client *http.Client
	Pacer
	// Stall is how long nothing may come before a pull is given up; 0 is a minute.
	Stall time.Duration
	// MaxBytes is how large a model may be; 0 is 1 GiB.
	MaxBytes int64
	// Progress, where set, hears how many bytes of a file are there.
	Progress func(file string, done, size int64)
}

// Repository is a model's place on a hub.
type Repository struct{ Owner, Name, Revision string }

// ParseRepository reads owner/name, with @revision behind it where another one than
// main is meant. A bare name is one of the makers of potion's.
func ParseRepository(text string) (Repository, error) {
	m := regexp.MustCompile(`^(?:([\w][\w.-]*)/)?([\w][\w.-]*)(?:@([\w][\w./-]*))?$`).FindStringSubmatch(text)
	if m == nil || strings.Contains(text, "..") || !ValidName(m[2]) {
		return Repository{}, fmt.Errorf("%q names no model: write potion-base-8M, owner/name or owner/name@revision", text)
	}
	r := Repository{Owner: m[1], Name: m[2], Revision: m[3]}
	if r.Owner == "" {
		r.Owner = "minishlab"
	}
	if r.Revision == "" {
		r.Revision = "main"
	}
	return r, nil
}

func (r Repository) String() string { return r.Owner + "/" + r.Name }

// remoteFile is one file as the hub's tree lists it.
type remoteFile struct {
	Type string `json:"type"`
	Path string `json:"path"`
	Size int64  `json:"size"`
	OID  string `json:"oid"` // of the git blob
	LFS  *struct {
		OID  string `json:"oid"` // SHA-256
		Size int64  `json:"size"`
	} `json:"lfs"`
}

// pulling is one pull.
type pulling struct {
	h      Hub
	base   *url.URL
	repo   Repository
	commit string
	part   string
}

const sourceFile = "pull.json"

// source says what the files in a folder in the making are of.
type source struct {
	Base   string `json:"base"`
	Repo   string `json:"repo"`
	Commit string `json:"commit"`
}

// Pull downloads a model to models/name. What was downloaded is compared with the
// SHA-256 that the hub's tree tells, loaded and tried before it takes its place; a
// pull that breaks off is taken up again by the next one.
func (h Hub) Pull(ctx context.Context, repo Repository, models, name string) (r Record, err error) {
	if !ValidName(name) {
		return r, fmt.Errorf("%q can't be a model's name", name)
	}
	base, err := checkBase(h.Base)
	if err != nil {
		return r, fmt.Errorf("hub: %w", err)
	}
	unlock, err := lockName(models, name)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	p := &pulling{h: h.ready(), base: base, repo: repo, part: filepath.Join(models, name+partSuffix)}
	files, err := p.list(ctx)
	if err != nil {
		return r, fmt.Errorf("%s: %w", repo, err)
	}
	if err := p.prepare(); err != nil {
		return r, err
	}
	for _, f := range files {
		if err := p.file(ctx, f); err != nil {
			return r, fmt.Errorf("%s: %s: %w", repo, f.Path, err)
		}
	}
	r, err = adopt(ctx, p.part, models, name, Record{Source: base.JoinPath(repo.Owner, repo.Name).String(), Revision: p.commit})
	if err == nil {
		err = osfile.Remove(filepath.Join(models, name, sourceFile))
	}
	return r, err
}

// ready fills in what was left open. A token goes to the hub's own host alone, and
// nothing goes from https to http.
func (h Hub) ready() Hub {
	client := http.Client{}
	if h.Client != nil {
		client = *h.Client
	}
	client.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		if len(via) > 5 {
			return errors.New("more than 5 redirects")
		}
		first := via[0].URL
		if first.Scheme == "https" && req.URL.Scheme != "https" {
			return errors.New("a redirect leads from https to " + req.URL.Scheme)
		}
		if req.URL.Host != first.Host {
			req.Header.Del("Authorization")
		}
		return nil
	}
	h.Client = &client
	if h.MaxBytes == 0 {
		h.MaxBytes = 1 << 30
	}
	if h.Stall == 0 {
		h.Stall = time.Minute
	}
	return h
}

// lockName keeps two processes from making the same model.
func lockName(models, name string) (unlock func() error, err error) {
	if err := os.MkdirAll(models, 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(models, "."+name+".lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	ok, err := osfile.TryLock(f)
	if err == nil && !ok {
		err = fmt.Errorf("another process is fetching %s", name)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() error { return errors.Join(osfile.Unlock(f), f.Close()) }, nil
}

// list finds out the commit of a revision and the model's files in it.
func (p *pulling) list(ctx context.Context) ([]remoteFile, error) {
	api := p.base.JoinPath("api", "models", p.repo.Owner, p.repo.Name)
	var rev struct {
		SHA string `json:"sha"`
	}
	if err := p.get(ctx, api.JoinPath("revision", p.repo.Revision), &rev); err != nil {
		return nil, err
	}
	if !regexp.MustCompile(`^[0-9a-f]{40}$`).MatchString(rev.SHA) {
		return nil, fmt.Errorf("the hub names no commit for revision %s", p.repo.Revision)
	}
	p.commit = rev.SHA
	for _, folder := range []string{"", "0_StaticEmbedding"} {
		var tree []remoteFile
		if err := p.get(ctx, api.JoinPath("tree", p.commit, folder), &tree); err != nil {
			return nil, err
		}
		if files, ok := choose(tree, folder); ok {
			return files, p.checkSize(files)
		}
	}
	return nil, fmt.Errorf("it has no %s with a %s beside it: this is no static model", tensorsFile, tokenizerName)
}

// choose picks a model's files out of a folder's list.
func choose(tree []remoteFile, folder string) ([]remoteFile, bool) {
	var out []remoteFile
	need := 0
	for _, name := range modelFiles() {
		i := slices.IndexFunc(tree, func(f remoteFile) bool { return f.Type == "file" && f.Path == path.Join(folder, name) })
		if i >= 0 {
			out = append(out, tree[i])
			if name != configFile {
				need++
			}
		}
	}
	return out, need == 2
}

func (p *pulling) checkSize(files []remoteFile) error {
	total := int64(0)
	for _, f := range files {
		if f.LFS != nil && f.LFS.Size != f.Size || f.Size < 0 {
			return fmt.Errorf("the hub tells two sizes of %s", f.Path)
		}
		if total += f.Size; total > p.h.MaxBytes {
			return fmt.Errorf("it is larger than %d bytes", p.h.MaxBytes)
		}
	}
	return nil
}

// get reads JSON of the hub's API.
func (p *pulling) get(ctx context.Context, u *url.URL, into any) error {
	return p.h.retry(ctx, func() error {
		res, err := p.request(ctx, u, 0)
		if err != nil {
			return err
		}
		defer drain(res.Body)
		raw, err := io.ReadAll(io.LimitReader(res.Body, 16<<20))
		if errors.Is(err, errStalled) {
			return err
		}
		if err != nil {
			return &again{err: err}
		}
		if err := json.Unmarshal(raw, into); err != nil {
			return fmt.Errorf("the hub's reply can't be read: %w", err)
		}
		return nil
	})
}

// request gets an address from an offset on. The reply is a good one.
func (p *pulling) request(ctx context.Context, u *url.URL, from int64) (*http.Response, error) {
	alive := watch(ctx, p.h.Stall)
	res, err := p.send(alive.ctx, u, from)
	if err != nil {
		alive.end()
		return nil, alive.say(err)
	}
	res.Body = alive.over(res.Body)
	return res, nil
}

// send sends one request.
func (p *pulling) send(ctx context.Context, u *url.URL, from int64) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept-Encoding", "identity") // the bytes as they are: offsets and hashes are of them
	if from > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	}
	if p.h.Token != "" && mayHaveSecrets(p.base) {
		req.Header.Set("Authorization", "Bearer "+p.h.Token)
	}
	res, err := p.h.Client.Do(req)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // without the address, which may have a signature in it
		}
		return nil, &again{err: err}
	}
	if res.StatusCode == http.StatusOK || res.StatusCode == http.StatusPartialContent {
		return res, nil
	}
	defer drain(res.Body)
	return nil, p.refusal(res)
}

func (p *pulling) refusal(res *http.Response) error {
	switch code := res.StatusCode; {
	case code == http.StatusRequestedRangeNotSatisfiable:
		return errRange
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		if p.h.Token == "" {
			return fmt.Errorf("%s: %s answers so for models that do not exist or are not public; a token is read from HF_TOKEN", res.Status, p.base.Host)
		}
		return fmt.Errorf("%s: the token in HF_TOKEN may not read it", res.Status)
	case code == http.StatusNotFound:
		return fmt.Errorf("%s: no such model or revision on %s", res.Status, p.base.Host)
	case temporary(code):
		return &again{err: errors.New(res.Status), after: retryAfter(res.Header)}
	}
	return errors.New(res.Status)
}

var errRange = errors.New("the file has other bytes than those that are there already")

// prepare makes the folder in the making, or keeps one of the same commit.
func (p *pulling) prepare() error {
	want := source{p.base.String(), p.repo.String(), p.commit}
	var have source
	b, err := readFile(filepath.Join(p.part, sourceFile), 1<<16)
	if err == nil && json.Unmarshal(b, &have) == nil && have == want {
		return nil
	}
	if err := os.RemoveAll(p.part); err != nil {
		return err
	}
	if err := os.MkdirAll(p.part, 0o700); err != nil {
		return err
	}
	b, err = json.Marshal(want)
	if err != nil {
		return err
	}
	return osfile.WriteFile(filepath.Join(p.part, sourceFile), func(w io.Writer) error { _, err := w.Write(b); return err })
}

// file downloads one file and compares it with what the tree tells of it.
func (p *pulling) file(ctx context.Context, f remoteFile) error {
	name := filepath.Join(p.part, path.Base(f.Path))
	u := p.base.JoinPath(p.repo.Owner, p.repo.Name, "resolve", p.commit, f.Path)
	err := p.h.retry(ctx, func() error {
		err := p.fill(ctx, u, name, f)
		if errors.Is(err, errRange) {
			err = errors.Join(&again{err: err}, os.Truncate(name, 0))
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := f.verify(name); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}

// fill appends what is missing of a file.
func (p *pulling) fill(ctx context.Context, u *url.URL, name string, f remoteFile) (err error) {
	out, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	have, err := out.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if have > f.Size {
		return errRange
	}
	if have == f.Size && have > 0 {
		return nil
	}
	res, err := p.request(ctx, u, have)
	if err != nil {
		return err
	}
	defer drain(res.Body)
	if res.StatusCode == http.StatusPartialContent && !strings.HasPrefix(res.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", have)) {
		return errRange
	}
	if res.StatusCode == http.StatusOK && have > 0 { // it begins at the beginning
		have = 0
		if err := rewind(out); err != nil {
			return err
		}
	}
	n, err := io.Copy(&counted{w: out, done: have, tell: func(done int64) { p.tell(f, done) }}, io.LimitReader(res.Body, f.Size-have+1))
	var local *fs.PathError // of the disk, not of the net
	switch {
	case errors.As(err, &local):
		return err
	case errors.Is(err, errStalled):
		return fmt.Errorf("%w: %d of %d bytes are there, and the next pull goes on from there", err, have+n, f.Size)
	case err != nil && ctx.Err() == nil, err == nil && have+n < f.Size:
		return &again{err: fmt.Errorf("the download broke off at %d of %d bytes: pull again to go on from there", have+n, f.Size)}
	case err != nil:
		return err
	case have+n > f.Size:
		return errors.Join(fmt.Errorf("more than the %d bytes came that the hub's tree tells", f.Size), out.Truncate(0))
	}
	return out.Sync()
}

func rewind(f *os.File) error {
	_, err := f.Seek(0, io.SeekStart)
	return errors.Join(err, f.Truncate(0))
}

func (p *pulling) tell(f remoteFile, done int64) {
	if p.h.Progress != nil {
		p.h.Progress(path.Base(f.Path), done, f.Size)
	}
}

// counted tells how far a file has come.
type counted struct {
	w    io.Writer
	done int64
	tell func(int64)
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.done += int64(n)
	c.tell(c.done)
	return n, err
}

// verify compares a file with its SHA-256, or where git holds it itself with its
// blob's name.
func (f remoteFile) verify(name string) error {
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	var h hash.Hash
	want := f.OID
	if f.LFS != nil {
		h, want = sha256.New(), strings.TrimPrefix(f.LFS.OID, "sha256:")
	} else {
		h = sha1.New()
		fmt.Fprintf(h, "blob %d\x00", f.Size)
	}
	if _, err := io.Copy(h, in); err != nil {
		return err
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		return fmt.Errorf("its hash is %s, and the hub's tree tells %s: it was thrown away", got, want)
	}
	return nil
}
