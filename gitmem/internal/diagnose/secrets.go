package diagnose

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// searchSecrets searches for secrets in the whole store and in the indexes.
func (c *checkup) searchSecrets(ctx context.Context) {
	var places []FindingPlace
	progress := func(n int) {
		if show := c.ws.Options.Progress; show != nil {
			show(workspace.Progress{Shard: "for secrets: objects", Done: n})
		}
	}
	done, err := c.s.Secrets(ctx, progress)
	n, found, unread := c.searchIndexes()
	for _, s := range append(done.Found, found...) {
		places = append(places, FindingPlace{Path: s.Path, Line: s.Line, Kind: s.Kind, Commit: s.Commit,
			Detail: "in a " + s.Where})
	}
	f := Finding{Check: "secret search", State: FindingOK, Places: places}
	f.Detail = fmt.Sprintf("nothing found in %s, %s of %s and %s of the indexes", messages.Plural(done.Files, "file"),
		messages.Plural(done.Objects, "object"), messages.Plural(done.Commits, "commit"), messages.Plural(n, "string"))
	if unread = append(done.Unread, unread...); len(unread) > 0 {
		f.State = FindingWarn
		f.Detail += fmt.Sprintf("; %s could not be searched, the first: %s", messages.Plural(len(unread), "place"),
			summarize(unread[:1]))
		f.Advice = "Run git fsck --full in the repository, or look at what is named."
	}
	if len(places) > 0 {
		f.State = FindingFail
		f.Detail = fmt.Sprintf("%s of what looks like a secret, the first: %s",
			messages.Plural(len(places), "place"), places[0])
		f.Advice = `Replace each of them where it is in use first: whoever has a copy of this has the secret. Then take it ` +
			`out of the file that is named ` +
			`(gitmem edit), and out of history with gitmem forget --history "<text>". In the repository's config, set the ` +
			`remote's address without it; a cache may be deleted.`
	}
	if err != nil {
		f.State, f.Detail = FindingFail, "the search was not finished: "+plain.Text(err)+"; "+f.Detail
	}
	for _, t := range unread {
		f.Places = append(f.Places, FindingPlace{Path: t.Path, Line: t.Line, Detail: "not searched: " + t.Detail})
	}
	c.add(f)
}

// String formats a place without any secret.
func (p FindingPlace) String() string {
	text := p.Path
	if p.Line > 0 {
		text += fmt.Sprintf(" line %d", p.Line)
	}
	if p.Kind != "" {
		text += " (" + p.Kind + ")"
	}
	if p.Commit != "" {
		text += " since commit " + p.Commit[:min(12, len(p.Commit))]
	}
	if p.Detail != "" {
		text += ": " + p.Detail
	}
	return strings.TrimPrefix(text, ": ")
}

// searchIndexes searches and counts the strings that each index stores verbatim. The words of texts are not among them,
// since they come from redacted text.
func (c *checkup) searchIndexes() (n int, found []store.Secret, unread []store.Trouble) {
	dirs, _ := filepath.Glob(filepath.Join(c.ws.IndexDir(), "shards", "*")) // none if the name is not a pattern
	for _, dir := range dirs {
		name := "index " + filepath.Base(dir)
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		snap, err := index.Open(dir, index.Options{Fingerprint: c.src.Fingerprint(), ReadOnly: true}).Snapshot()
		if err != nil {
			unread = append(unread, store.Trouble{Path: name, Detail: plain.Text(err)})
			continue
		}
		for s := range snap.Strings() {
			n++
			if _, secrets := c.ws.Redactor.Text(s); len(secrets) > 0 {
				found = append(found, store.Secret{Kind: secrets[0].Kind, Where: "name in the cache", Path: name})
			}
		}
		_ = snap.Close() // read-only
	}
	return n, found, unread
}
