package git

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing"
)

const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

func FuzzCommit(f *testing.F) {
	for _, s := range []string{
		"", "\n", "tree " + emptyTree + "\n\nx",
		"tree " + emptyTree + "\nparent " + emptyTree +
			"\nauthor A <a@b> 1 +0100\ncommitter A <a@b> 1 -0000\nencoding latin1\ngpgsig x\n y\n\nS\nT\n\nB\n",
		"tree " + emptyTree + "\nauthor <> \xff\nauthor\ncommitter >< 9223372036854775807 +9999\n\n\xff\xfe\n\n",
		"tree x", "parent " + emptyTree, "object " + emptyTree + "\ntype commit\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		raw, err := parseCommit(b)
		if err != nil {
			return
		}
		r := &Repository{}
		c := r.present(plumbing.ZeroHash, raw, nil)
		for _, s := range []string{c.Subject, c.Body, c.Author.Name, c.Author.Email, c.Committer.Name, c.Committer.Email} {
			if !utf8.ValidString(s) {
				t.Errorf("%q is not valid UTF-8", s)
			}
		}
		if strings.Contains(c.Subject, "\n") {
			t.Errorf("the subject %q has more than one line", c.Subject)
		}
		for _, s := range []Signature{c.Author, c.Committer} {
			if _, err := s.When.MarshalText(); err != nil {
				t.Errorf("time %v: %v", s.When, err)
			}
		}
	})
}

func FuzzTree(f *testing.F) {
	id := strings.Repeat("i", 20)
	other := strings.Repeat("j", 20)
	f.Add([]byte("100644 a\x00"+id), []byte("100644 a\x00"+other))
	f.Add([]byte("100644 a\x00"+id+"40000 a\x00"+id), []byte("40000 a\x00"+other+"120000 b\x00"+id))
	f.Add([]byte("100644 \x00"+id), []byte("999 a\x00"))
	f.Add([]byte(" a\x00"), []byte("\x00"+id))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		left, right := plumbing.Hash{1}, plumbing.Hash{2}
		trees := map[plumbing.Hash][]byte{left: a, right: b}
		run := func(from, to plumbing.Hash) ([]Change, error) {
			d := differ{tree: func(id plumbing.Hash) ([]byte, error) {
				if tree, ok := trees[id]; ok {
					return tree, nil
				}
				return nil, ErrNotFound
			}}
			err := d.diff(t.Context(), from, to, "", 0)
			return d.changes, err
		}
		there, err := run(left, right)
		back, err2 := run(right, left)
		if (err == nil) != (err2 == nil) {
			t.Fatalf("one way: %v, the other way: %v", err, err2)
		}
		if err != nil {
			return
		}
		for i, c := range back {
			back[i].Op = map[byte]byte{'A': 'D', 'D': 'A', 'M': 'M'}[c.Op]
		}
		if !slices.Equal(there, back) {
			t.Errorf("one way %v, the other way %v", there, back)
		}
	})
}

func FuzzMailmap(f *testing.F) {
	f.Add("A <a@b>\n<c@d> <e@f>\nX <x@y> Z <z@z>\n", "Z", "z@z")
	f.Add("#\n<\n>\n<><>\n<a><b><c>", "", "")
	f.Add("\xff <\xff> \xff <\xff>", "\xff", "\xff")
	f.Fuzz(func(t *testing.T, text, name, email string) {
		m := ParseMailmap(text)
		name, email = valid(name), valid(email)
		n, e := m.Resolve(name, email)
		if !utf8.ValidString(n + e) {
			t.Errorf("%q <%q> is not valid UTF-8", n, e)
		}
		var none *Mailmap
		if n, e := none.Resolve(name, email); n != name || e != email {
			t.Errorf("no mailmap changes %q <%q>", name, email)
		}
	})
}

func FuzzConfig(f *testing.F) {
	for _, s := range []string{"[a]\nb=c", "[a \"b\\\"\"]\nc = \"d\\n\" ;e\n", "[a.b] c", "[", "[a \"", "[a]b=\\",
		"[a]b=\\\r\nc", "\uFEFF[a]", "a=b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parseConfig(text)
		if err != nil && !strings.HasPrefix(err.Error(), "line ") {
			t.Errorf("error %v without a line", err)
		}
		for _, e := range c {
			if e.Section == "" || e.Key == "" {
				t.Errorf("entry %+v without a section or a key", e)
			}
		}
	})
}

// TestTreeBomb describes 8^12 files with 12 trees.
func TestTreeBomb(t *testing.T) {
	t.Parallel()
	d := differ{tree: func(id plumbing.Hash) ([]byte, error) {
		mode, next := "40000", plumbing.Hash{id[0] + 1}
		if id[0] == 12 {
			mode = "100644"
		}
		var b []byte
		for i := range 8 {
			b = fmt.Appendf(b, "%s %d\x00%s", mode, i, next[:])
		}
		return b, nil
	}}
	if err := d.diff(t.Context(), plumbing.ZeroHash, plumbing.Hash{1}, "", 0); !isDamage(err) {
		t.Errorf("error is %v, want one that is ErrTooLarge", err)
	}
}
