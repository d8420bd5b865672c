package jira_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/jira"
)

// TestCloudByName reads a Cloud site with a custom domain, without authentication: it only has the search of
// version 3.
func TestCloudByName(t *testing.T) {
	t.Parallel()
	s := sample(true)
	base := serve(t, s)
	items, _ := fetch(t, open(t, base, false, func(o *jira.Options) { o.Cloud, o.Email = true, "" }), providers.Cursor{})
	if len(items) == 0 {
		t.Error("nothing came")
	}
}

// TestInternalComments leaves out comments that a service desk hides from its customers.
func TestInternalComments(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, cloud bool) {
		items, _ := fetch(t, open(t, serve(t, sample(cloud)), cloud, nil), providers.Cursor{})
		if text := items["jira:ABC-1"].Text; strings.Contains(text, "Not for customers") ||
			!strings.Contains(text, "Fixed with a debounce") {
			t.Errorf("the text is %q", text)
		}
	})
}

// TestShortKey has a project key of one letter, which Data Center can be configured to allow.
func TestShortKey(t *testing.T) {
	t.Parallel()
	if _, err := jira.New([]string{"A"}, jira.Options{BaseURL: "https://jira.example.org", Now: clock}); err != nil {
		t.Error(err)
	}
}
