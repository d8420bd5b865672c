package forge

import (
	"context"
	"fmt"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
)

// ForgeStatus is the status of a forge or a tracker. The JSON form is a public contract.
type ForgeStatus struct {
	Kind    string    `json:"kind"`     // such as github; one of [providers.Kinds]
	Name    string    `json:"name"`     // host and repository, or the projects of a tracker
	Items   int       `json:"items"`    // number of fetched items
	Fetched string    `json:"fetched"`  // when a fetch last completed, RFC 3339, "" for never
	Tried   string    `json:"tried"`    // when the last fetch began
	Trouble string    `json:"trouble"`  // why the last fetch failed or did not complete
	Retry   string    `json:"retry"`    // time before which the source is not asked again, "" for none
	Token   bool      `json:"token"`    // there are credentials for it
	Offline bool      `json:"offline"`  // no server may be asked now
	Skipped []LeftOut `json:"left_out"` // items that fetches skipped, on purpose or because they were unreadable
}

// LeftOut counts skipped items.
type LeftOut struct {
	Reason string `json:"reason"` // plural description
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

// String returns the status on one line.
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
