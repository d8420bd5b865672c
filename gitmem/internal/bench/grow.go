package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// edit is a transcript that a figure has appended to, with its size before.
type edit struct {
	path string
	size int64
}

// newMessages is how many messages a refresh finds.
const newMessages = 200

// appendix writes n new messages in four sessions to a folder of their own and
// returns it; each number gives others.
func (r *runner) appendix(ctx context.Context, number, n int) (home, error) {
	h := home{dir: filepath.Join(r.Dir, "new", fmt.Sprint(number)), env: r.Env, now: r.Now}
	c := Corpus{Messages: n, Sessions: min(4, n), Seed: r.Corpus.Seed + 1000 + uint64(number)}
	if err := os.RemoveAll(h.dir); err != nil {
		return h, err
	}
	if err := h.make(); err != nil {
		return h, err
	}
	_, err := c.Write(ctx, h.client())
	return h, err
}

// grow appends the sessions of an appendix to sessions of the large corpus, as if
// they had gone on. What was there before is noted once.
func (r *runner) grow(from home, number int) error {
	news, errs := transcript.Files(from.client())
	olds, more := transcript.Files(r.large.client())
	if err := errors.Join(append(errs, more...)...); err != nil {
		return err
	}
	for i, f := range news {
		b, err := os.ReadFile(f.Path)
		if err != nil {
			return err
		}
		old := olds[(number*len(news)+i)*7919%len(olds)]
		if !slices.ContainsFunc(r.oldest, func(e edit) bool { return e.path == old.Path }) {
			info, err := os.Stat(old.Path)
			if err != nil {
				return err
			}
			r.oldest = append(r.oldest, edit{old.Path, info.Size()})
		}
		if err := appendTo(old.Path, b); err != nil {
			return err
		}
	}
	return nil
}

func appendTo(name string, b []byte) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Close())
}

// takeBack cuts the transcripts to what they were, for a later run in this folder.
func (r *runner) takeBack() error {
	var errs []error
	for _, e := range r.oldest {
		errs = append(errs, os.Truncate(e.path, e.size))
	}
	r.oldest = nil
	return errors.Join(errs...)
}

// refresh measures the process that finds 200 new messages.
func (r *runner) refresh(ctx context.Context) error {
	if err := errors.Join(r.index(ctx, r.large), r.ready(ctx, r.large.tables(), r.docs)); err != nil {
		return err
	}
	var own, cpu, other []float64
	for i := range r.Rounds {
		h, err := r.appendix(ctx, i, newMessages)
		if err != nil {
			return err
		}
		docs := filepath.Join(h.dir, "documents")
		var news Stream
		if _, err := h.answer(ctx, &news, r.Self, "bench", "child-documents", docs); err != nil {
			return err
		}
		if err := r.grow(h, i); err != nil {
			return err
		}
		before, err := r.indexed(ctx)
		if err != nil {
			return err
		}
		s, err := r.large.run(ctx, r.Self, "index")
		if err != nil {
			return err
		}
		after, err := r.indexed(ctx)
		if err != nil {
			return err
		}
		if after-before != news.Documents {
			return fmt.Errorf("%d of %d new documents were indexed", after-before, news.Documents)
		}
		own, cpu = append(own, milliseconds(s.wall)), append(cpu, milliseconds(s.cpu))
		if !r.peer() {
			continue
		}
		if s, err = r.large.run(ctx, r.Peer, "append", r.large.tables(), docs); err != nil {
			return err
		}
		other = append(other, milliseconds(s.wall))
	}
	r.built[r.large.tables()] = false // they hold more than the corpus now
	r.set("refresh", number(median(own)), number(median(other)), fmt.Sprintf("CPU %.0f ms", median(cpu)))
	return nil
}

// indexed is how many documents the product's index of the large corpus holds, as
// it stands.
func (r *runner) indexed(ctx context.Context) (int, error) {
	var shards []struct {
		Docs int `json:"docs"`
	}
	if _, err := r.large.answer(ctx, &shards, r.Self, "index", "status", "--json"); err != nil {
		return 0, err
	}
	n := 0
	for _, s := range shards {
		n += s.Docs
	}
	return n, nil
}
