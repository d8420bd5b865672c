package settings_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/cmd/internal/settings"
)

// FuzzSettings: for any settings, installing loses no byte of others, a second installation changes nothing,
// the result is JSON, and removing restores the original, even if somebody added something meanwhile.
func FuzzSettings(f *testing.F) {
	for _, s := range []string{
		"", "{}", " {\n}\n", "\ufeff{\"a\":1}", "{\r\n\t\"a\": 1.0e5,\r\n\t\"hooks\": {\r\n\t}\r\n}\r\n",
		`{"hooks":{"Stop":[]},"hooks":{"Stop":[{}]}}`,
		`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"gitmem hook stop"}]}]}}`,
		"{\"a\":\"\xff\",\"permissions\":{\"allow\":[\"x\" , \"y\"]}}", twoHooks,
		`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/x/gitmem","args":["hook","stop"]},{}]},{"matcher":"a",` +
			`"hooks":[{"type":"command","command":"/x/gitmem","args":["hook","stop"]}]}]}}`,
		`{"hooks":{"Stop":[{"hooks":[{"command":"gitmem hook stop","type":"command","args":"x"}]}],"Stop":7}}`,
		"{\"hooks\" \n:{}\n,\"z\":[1,\n2]}", "[1", "{\"a\": tru}",
		`{"permissions":{"allow":["Bash(gitmem ask:*)"]}}`,
	} {
		f.Add([]byte(s), uint8(len(s)))
	}
	f.Fuzz(func(t *testing.T, src []byte, at uint8) {
		w := wanted("/new/gitmem")
		kept := slices.Clone(src)
		out, _, err := settings.Install(src, w)
		if !bytes.Equal(src, kept) {
			t.Fatal("the input was changed")
		}
		if err != nil {
			if _, _, err := settings.Remove(src, nil, w); json.Valid(src) && src[0] == '{' && err != nil {
				t.Fatalf("can't be removed from: %v", err)
			}
			return
		}
		if again, changes, err := settings.Install(out, w); err != nil || !bytes.Equal(again, out) {
			t.Fatalf("twice is not once: %v %v\n%q\n%q", err, changes, out, again)
		}
		if !json.Valid(bytes.TrimPrefix(out, []byte("\ufeff"))) {
			t.Fatalf("no JSON: %q", out)
		}
		if hasOwn(src) || len(bytes.TrimSpace(bytes.TrimPrefix(src, []byte("\ufeff")))) == 0 {
			return // then bytes of ours are removed
		}
		if !isSubsequence(src, out) {
			t.Fatalf("a byte is lost:\n%q\n%q", src, out)
		}
		checkBack(t, src, out, w, at)
	})
}

// hasOwn may return true without an entry of ours.
func hasOwn(src []byte) bool {
	return bytes.Contains(src, []byte("gitmem")) || bytes.Contains(src, []byte(`\`))
}

// isSubsequence reports whether whole only adds to part.
func isSubsequence(part, whole []byte) bool {
	for _, b := range whole {
		if len(part) > 0 && part[0] == b {
			part = part[1:]
		}
	}
	return len(part) == 0
}

// checkBack removes the installed entries, at once and after somebody added a member.
func checkBack(t *testing.T, src, out []byte, w settings.Wanted, at uint8) {
	back, _, err := settings.Remove(out, src, w)
	if err != nil || !bytes.Equal(unspaced(back), unspaced(src)) {
		t.Fatalf("not as it was: %v\n%q\n%q", err, src, back)
	}
	if !emptyAt(src) && !bytes.Equal(back, src) {
		t.Fatalf("not byte for byte as it was:\n%q\n%q", src, back)
	}
	member := `"foreign":[` + strings.Repeat(" ", int(at%4)) + `1]`
	into := func(b []byte) []byte {
		if i := bytes.IndexByte(b, '{') + 1; at%2 == 0 {
			return slices.Concat(b[:i], []byte(member+","), b[i:])
		}
		i := bytes.LastIndexByte(b, '}')
		return slices.Concat(b[:i], []byte(","+member), b[i:])
	}
	meanwhile := into(out)
	back, _, err = settings.Remove(meanwhile, src, w)
	if err != nil || !bytes.Contains(back, []byte(member)) || hasOwn(back) {
		t.Fatalf("not only ours went: %v\n%q\n%q", err, meanwhile, back)
	}
	if !isSubsequence(unspaced(src), unspaced(back)) {
		t.Fatalf("a foreign byte went:\n%q\n%q", src, back)
	}
}

// emptyAt reports whether an object or a list only contains white space, which may change.
func emptyAt(src []byte) bool {
	u := unspaced(src)
	return bytes.Contains(u, []byte("{}")) || bytes.Contains(u, []byte("[]"))
}

func unspaced(b []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n", r) {
			return -1
		}
		return r
	}, b)
}
