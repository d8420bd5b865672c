package providertest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gitmem/gitmem/providers"
)

// maxAnswers is how many requests a source may send to a server that gives the same answer to everything.
const maxAnswers = 2000

// answers is a server that gives the same answer to everything.
type answers struct {
	tb    testing.TB
	body  []byte
	asked int
}

// RoundTrip implements [http.RoundTripper].
func (a *answers) RoundTrip(r *http.Request) (*http.Response, error) {
	if a.asked++; a.asked > maxAnswers {
		a.tb.Fatalf("a source asks on and on for the answer %.200q", a.body)
	}
	rec := httptest.NewRecorder()
	rec.Header().Set("Content-Type", "application/json")
	_, err := rec.Write(a.body)
	resp := rec.Result()
	resp.Request = r
	return resp, err
}

// FuzzAnswers lets a source read from servers with arbitrary answers: it must neither panic nor send requests
// for ever, and the items it yields must be valid. The seeds are valid answers.
func FuzzAnswers(f *testing.F, open func(testing.TB, http.RoundTripper) providers.Source, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Add([]byte(`[null,{},[],1,"x",{"id":null}]`))
	f.Add([]byte(`{"id":1e400}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		place := &answers{tb: t, body: body}
		source := open(t, place)
		check := func(it providers.Item) error {
			if it.ID == "" || it.Kind == "" || it.Type == "" || it.Title == "" || strings.ContainsAny(it.Title, "\n\r") ||
				it.Time.IsZero() || it.Author == (providers.Person{}) {
				t.Errorf("item is not whole: %+v", it)
			}
			if !utf8.ValidString(it.ID + it.Title + it.Text + it.Author.Name + strings.Join(it.Paths, "")) {
				t.Errorf("item is not valid UTF-8: %+v", it)
			}
			return nil
		}
		next, err := source.Fetch(t.Context(), providers.Cursor{}, check)
		if reached := providers.Progress(next, err); reached != (providers.Cursor{}) {
			// A source must be able to read its own cursor.
			if _, err := source.Fetch(t.Context(), reached, check); err != nil &&
				strings.Contains(err.Error(), providers.ErrBadCursor.Error()) {
				t.Errorf("the source refuses its own cursor %q: %v", reached.Value, err)
			}
		}
	})
}
