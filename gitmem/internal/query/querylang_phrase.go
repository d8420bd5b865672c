package query

import (
	"context"
	"errors"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// phraseBound is the maximum number of documents read to find phrases in them.
const phraseBound = 500

// Find searches, and checks phrases in the texts of the hits.
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

// texts returns the texts of a document. A missing one has none; that is reported where it is shown.
func (v *View) texts(h search.Hit) ([]string, error) {
	src, err := v.Fetch(h)
	if errors.Is(err, cite.ErrNotFound) {
		return nil, nil
	}
	return append([]string{src.Text, src.Title}, src.Paths...), err
}
