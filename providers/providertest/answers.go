package providertest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gitmem/gitmem/providers"
)

// maxAnswers is how often a source may ask a place that says the same to
// everything.
const maxAnswers = 2000

// answers says the same to everything.
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

// FuzzAnswers feeds a source places that answer anything: it must neither panic
// nor ask for ever, and what it hands out must be whole. The seeds are answers
// that make sense.
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
			// A cursor that a source wrote is one that it can read.
			if _, err := source.Fetch(t.Context(), reached, check); err != nil &&
				strings.Contains(err.Error(), providers.ErrBadCursor.Error()) {
				t.Errorf("the source refuses its own cursor %q: %v", reached.Value, err)
			}
		}
	})
}
