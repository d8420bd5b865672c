package query

import (
	"context"
	"errors"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// phraseBound is how many documents are read at most to find phrases in them.
const phraseBound = 500

// Find searches, and checks phrases on the texts of what it found.
func (v *View) Find(ctx context.Context, q search.Query) (search.Result, error) {
	if len(q.Phrases) == 0 {
		return v.search(ctx, q)
	}
	limit := q.Limit
	if limit <= 0 {
		limit = 20
	}
	q.Limit = phraseBound + 1
	res, err := v.search(ctx, q)
	if err != nil {
		return res, err
	}
	checked, err := search.Verify(res.Hits, q.Phrases, limit, phraseBound, v.texts)
	if checked.More {
		v.Reader.ws.Caveat("Only the first %d documents with the words of the phrase were checked for it: narrow the query "+
			"to look further.", checked.Checked)
	}
	res.Hits = checked.Hits
	return res, err
}

// texts are what a document says. One that is gone says nothing; that is
// reported where it is shown.
func (v *View) texts(h search.Hit) ([]string, error) {
	src, err := v.Fetch(h)
	if errors.Is(err, cite.ErrNotFound) {
		return nil, nil
	}
	return append([]string{src.Text, src.Title}, src.Paths...), err
}
