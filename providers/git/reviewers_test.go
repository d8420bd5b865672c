package git_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/git"
)

// TestReviewersOfMessages parses reviewers in the formats of the tools that write them.
func TestReviewersOfMessages(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	writeFile(t, dir, ".mailmap", "Robert Stone <bob@new.example> <bob@old.example>\n")
	run(t, dir, "add", ".")
	n := 0
	for _, c := range []struct {
		name, body string
		want       string // "name <address>; …"
	}{
		{"git", "Why.\n\nReviewed-by: Cleo Fox <cleo@example.org>\nAcked-by: Dee <dee@example.org> # for the docs\n" +
			"Signed-off-by: Eve <eve@example.org>", "Cleo Fox <cleo@example.org>; Dee <dee@example.org>"},
		{"aliases, doubles and the author",
			"Reviewed-by: Bob <bob@old.example>\nReviewed-By: Robert Stone <BOB@new.example>\n" +
				"Reviewed-by: Ada <ada@example.org>", "Robert Stone <bob@new.example>"},
		{"gerrit", "Change-Id: I0123\nReviewed-on: https://review.example.org/c/7\n" +
			"Reviewed-by: Cleo Fox <cleo@example.org>\nCode-Review+2: Dee <dee@example.org>",
			"Cleo Fox <cleo@example.org>; Dee <dee@example.org>"},
		{"phabricator", "Reviewers: one, two\n\nReviewed By: cleo, @dee\n\nDifferential Revision: https://example.org/D7",
			"cleo <>; dee <>"},
		{"a squashed branch", "* one\n\nReviewed-by: Cleo Fox <cleo@example.org>\n\n* two\n\nAcked-by: Dee <dee@example.org>",
			"Cleo Fox <cleo@example.org>; Dee <dee@example.org>"},
		{"an address alone", "Reviewed-by: <cleo@example.org>\nApproved-by: dee@example.org",
			"cleo <cleo@example.org>; dee <dee@example.org>"},
		{"several in a line", "Reviewed-by: Cleo Fox <cleo@example.org>, \"Lake, Dee\" <dee@example.org> (twice)",
			"Cleo Fox <cleo@example.org>; Lake, Dee <dee@example.org>"},
		{"capitals", "REVIEWED-BY: Eve <eve@example.org>", "Eve <eve@example.org>"},
		{"with and without an address",
			"Reviewed by: Cleo Fox, Dee\nReviewed-by: CLEO FOX <cleo@example.org>\nReviewed-by: Cleo Fox <fox@example.org>\n" +
				"Acked-by: dee <dee@example.org>\nAcked-by: Eve <eve@example.org>\nApproved-by: eve",
			"Cleo Fox <>; Dee <>; Eve <eve@example.org>"},
		{"odd names", "Reviewed-by: <>\nReviewed-by: José Ño <jose@example.org>\nReviewed-by: Cleo <cleo@example.org\n" +
			"> Reviewed-by: Quoted <q@example.org>\nReviewed-by:Tight <tight@example.org>",
			"José Ño <jose@example.org>; Tight <tight@example.org>"},
		{"nobody", "Reviewed-by: https://example.org/r/7\nReviewed-by:\nReviewed by: TBD\n" +
			"Reviewed-by: all of us who were in the room", ""},
		{"others", "Tested-by: Cleo Fox <cleo@example.org>\nReported-by: Dee <dee@example.org>\n" +
			"Helped-by: Eve <eve@example.org>\n  Reviewed-by: quoted <q@example.org>", ""},
	} {
		id := commit(t, dir, "Do it\n\n"+c.body, n)
		n++
		it := itemOf(t, git.NewSource(open(t, dir)), "git:commit:"+id)
		if diff := cmp.Diff(c.want, peopleText(it.Reviewers)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func peopleText(people []providers.Person) string {
	var out []string
	for _, p := range people {
		out = append(out, p.Name+" <"+p.Email+">")
	}
	return strings.Join(out, "; ")
}
