package forge

import (
	"context"
	"fmt"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
)

// ForgeStatus is what is known of a forge or a tracker. The JSON form is a public
// contract.
type ForgeStatus struct {
	Kind    string    `json:"kind"`     // such as github; one of [providers.Kinds]
	Name    string    `json:"name"`     // host and repository, or the projects of a tracker
	Items   int       `json:"items"`    // that were fetched
	Fetched string    `json:"fetched"`  // when a fetch last came to its end, RFC 3339, "" for never
	Tried   string    `json:"tried"`    // when the last one began
	Trouble string    `json:"trouble"`  // why that one failed or did not come to its end
	Retry   string    `json:"retry"`    // before when nobody is asked again, "" where nothing speaks against it
	Token   bool      `json:"token"`    // credentials for it were found
	Offline bool      `json:"offline"`  // no server is asked now
	Skipped []LeftOut `json:"left_out"` // by fetches, on purpose or since it could not be read
}

// LeftOut counts what was left out.
type LeftOut struct {
	Reason string `json:"reason"` // in words, in the plural
	Items  int    `json:"items"`
}

// Status describes the remote sources without asking them.
func (fg *Forges) Status(ctx context.Context) []ForgeStatus {
	out := []ForgeStatus{}
	for _, r := range fg.Remotes {
		st, err := fg.ItemsOf(r).State()
		f := ForgeStatus{
			Kind: r.Kind, Name: fg.clean(r.name()), Items: st.Items, Fetched: messages.Instant(st.Fetch.Done),
			Tried:   messages.Instant(st.Fetch.Tried),
			Trouble: fg.clean(st.Fetch.Error), Token: fg.loginOf(ctx, r).token != "", Offline: fg.Options.Offline,
			Skipped: []LeftOut{},
		}
		if st.Fetch.Cut {
			f.Trouble = "it was ended before it was through"
		}
		if fg.Options.Now().Before(st.Fetch.Retry) {
			f.Retry = messages.Instant(st.Fetch.Retry)
		}
		if err != nil {
			f.Trouble = fg.clean(plain.Text(err))
		}
		for _, s := range st.Fetch.Skipped {
			f.Skipped = append(f.Skipped, LeftOut{Reason: fg.clean(s.Reason), Items: s.Items})
		}
		out = append(out, f)
	}
	return out
}

// String formats it in one line.
func (f ForgeStatus) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s", f.Name, messages.Plural(f.Items, "item"))
	switch {
	case f.Fetched != "":
		b.WriteString(", fetched " + f.Fetched)
	case f.Tried != "":
		b.WriteString(", never fetched to the end")
	default:
		b.WriteString(", never fetched")
	}
	if f.Trouble != "" {
		fmt.Fprintf(&b, ", last trouble (%s): %s", f.Tried, f.Trouble)
	}
	if f.Retry != "" {
		b.WriteString(", not asked before " + f.Retry)
	}
	if f.Offline {
		b.WriteString(", offline")
	}
	b.WriteString(map[bool]string{true: ", token found", false: ", no token"}[f.Token])
	for i, s := range f.Skipped {
		b.WriteString(map[bool]string{true: ", left out: ", false: ", "}[i == 0])
		fmt.Fprintf(&b, "%d %s", s.Items, s.Reason)
	}
	return b.String()
}
