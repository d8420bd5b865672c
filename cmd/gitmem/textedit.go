package main

import (
	"bytes"
	"reflect"
	"regexp"
	"slices"

	"github.com/gitmem/gitmem/cmd/internal/settings"
)

// textEdit adds a text to the end of a file unless has finds an equivalent there, nil for none. The first
// group of ours matches exactly the text as written by any version of install.
func textEdit(path, what, text string, folders []string, ours *regexp.Regexp, has func([]byte) (any, error)) edit {
	find := func(src []byte, there any) []int {
		for _, at := range ours.FindAllSubmatchIndex(src, -1) {
			if left, _ := has(slices.Concat(src[:at[2]], src[at[3]:])); !reflect.DeepEqual(left, there) {
				return at
			}
		}
		return nil // or it is only a quotation in somebody else's text
	}
	return edit{
		path: path, folders: folders,
		put: func(src, _ []byte) ([]byte, []settings.Change, error) {
			there, _ := has(src)
			out, did := []byte(string(src)+"\n"[:min(len(src), 1)]+text), settings.Change{Did: "added", What: what}
			if at := find(src, there); at != nil {
				out, did.Did = []byte(string(src[:at[2]])+text+string(src[at[3]:])), "kept"
			} else if there != nil {
				return src, []settings.Change{{Did: "kept", What: what, Notes: "another of that name is there, which stays"}}, nil
			}
			_, err := has(out) // not if the text can't be here, or a table can't follow
			return out, []settings.Change{did}, err
		},
		take: func(src, _ []byte) ([]byte, []settings.Change, error) {
			there, err := has(src)
			if there == nil {
				return src, nil, err
			}
			kept := settings.Change{Did: "kept", What: what, Notes: "it is not as install wrote it"}
			if at := find(src, there); at != nil {
				head, rest := src[:at[2]], src[at[3]:]
				if len(rest) == 0 || bytes.HasSuffix(head, []byte("\n\n")) {
					head = bytes.TrimSuffix(head, []byte("\n"))
				}
				out := slices.Concat(head, rest)
				if left, err := has(out); err == nil && left == nil {
					return out, []settings.Change{{Did: "removed", What: what}}, nil
				}
				kept.Notes = "the file has more of it, or is invalid without it"
			}
			return src, []settings.Change{kept}, nil
		},
	}
}
