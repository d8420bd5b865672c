package diagnose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/traces"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// traceDays is the number of days of traces that are read.
const traceDays = 7

// checkTraces counts the recent failures of hooks by reason and lists each lost tool call. A hook must not fail its
// host, so failures are only in its traces.
func (c *checkup) checkTraces(ctx context.Context) {
	records, bad, err := c.traces()
	reasons := map[string]int{}
	var lost []traces.Record
	for _, r := range records {
		reasons[reason(r.Detail)]++
		if strings.HasPrefix(r.Hook, "post-tool-use") {
			lost = append(lost, r)
		}
	}
	f := Finding{Check: "hook failures", State: FindingOK, Detail: fmt.Sprintf("none in the last %d days", traceDays)}
	if len(records) > 0 {
		f.State = FindingWarn
		f.Advice = "Remove the reason. The trace in gitmem/.index/trace has the whole of each."
		order := slices.SortedFunc(maps.Keys(reasons), func(a, b string) int {
			return cmp.Or(cmp.Compare(reasons[b], reasons[a]), strings.Compare(a, b))
		})
		for _, why := range order {
			f.Places = append(f.Places, FindingPlace{Detail: fmt.Sprintf("%d × %s", reasons[why], why)})
		}
		f.Detail = fmt.Sprintf("%s in the last %d days: %s", messages.Plural(len(records), "failure"), traceDays,
			f.Places[0].Detail)
	}
	if bad > 0 {
		f.Detail += fmt.Sprintf("; %s of the trace were not understood", messages.Plural(bad, "line"))
	}
	if err != nil {
		f.State = FindingWarn
		f.Detail += "; " + c.ws.Clean(plain.Text(err))
	}
	c.add(f)
	c.hookTimes(ctx)
	c.lostAppends(lost)
}

// slowHook is the duration in milliseconds from which a hook counts as slow.
const slowHook = 1000

// hookTimes reports how long the client recently waited for hooks.
func (c *checkup) hookTimes(ctx context.Context) {
	cost, err := c.Cost(ctx, CostOptions{Since: strconv.Itoa(traceDays) + "d"})
	if err != nil {
		c.add(Finding{Check: "hook times", State: FindingWarn, Detail: c.ws.Clean(plain.Text(err))})
		return
	}
	f := Finding{Check: "hook times", State: FindingOK, Detail: fmt.Sprintf("no hook ran in the last %d days", traceDays)}
	slow, runs, most := 0, 0, 0.0
	for _, h := range cost.Hooks {
		if h.Hook == "archive" || h.Hook == "sweep" { // they run in the background
			continue
		}
		runs, most = runs+h.Runs, max(most, h.P95)
		if h.P95 > slowHook {
			slow++
			f.Places = append(f.Places, FindingPlace{Detail: fmt.Sprintf("%s: half of %s within %g ms, 95 %% within %g ms",
				h.Hook, messages.Plural(h.Runs, "run"), h.P50, h.P95)})
		}
	}
	if runs > 0 {
		f.Detail = fmt.Sprintf("%s in the last %d days, 95 %% of each hook's within %g ms", messages.Plural(runs, "run"),
			traceDays, most)
	}
	if slow > 0 {
		f.State = FindingWarn
		f.Advice = "The client waits for hooks. Look at gitmem stats --cost, and at one hook with gitmem hook --debug; a " +
			"slow disk or a busy machine shows in all of them."
	}
	c.add(f)
}

// lostAppends reports which tool calls are missing in the logs, and whether the client's transcript still contains
// them.
func (c *checkup) lostAppends(lost []traces.Record) {
	f := Finding{Check: "lost observations", State: FindingOK, Detail: fmt.Sprintf("none in the last %d days", traceDays)}
	if len(lost) == 0 {
		c.add(f)
		return
	}
	files, _ := transcript.Files(c.ws.ClientDir) // the indexer reports errors
	held := map[string]string{}
	for _, file := range files {
		if !file.Subagent {
			held[file.Session] = file.Path
		}
	}
	still := 0
	for _, r := range lost {
		p := FindingPlace{Detail: fmt.Sprintf("%s session %s tool %s: ", r.Time.UTC().Format("2006-01-02 15:04:05"),
			cmp.Or(r.Session, "unknown"), cmp.Or(r.Tool, "unknown"))}
		if p.Path = held[r.Session]; p.Path != "" {
			still++
			p.Detail += "the transcript still has it"
		} else {
			p.Detail += "there is no transcript of it any more"
		}
		f.Places = append(f.Places, p)
	}
	f.State = FindingWarn
	f.Detail = fmt.Sprintf("%s of the last %d days could not be appended; the transcripts of %d are still there",
		messages.Plural(len(lost), "tool call"), traceDays, still)
	f.Advice = "Remove the reason that hook failures names. As long as a transcript is there it is searched, and the " +
		"end of its session archives it; copy it away if the client is about to remove it."
	c.add(f)
}

// traces returns the hook failures of the last days, oldest first, and the number of unparsable lines. The error lists
// files that cannot be read.
func (c *checkup) traces() (failed []traces.Record, bad int, err error) {
	var errs []error
	now := c.ws.Options.Now().UTC()
	from, to := now.AddDate(0, 0, -traceDays), now.AddDate(0, 0, 1) // a fast clock may have written tomorrow's file
	for _, name := range traces.Files(c.ws.DirsOfTraces(), from.Format(time.DateOnly), to.Format(time.DateOnly)) {
		n, err := traces.Each(name, nil, func(r traces.Record) {
			if r.Result == "error" {
				failed = append(failed, r)
			}
		})
		bad, errs = bad+n, append(errs, err)
	}
	slices.SortStableFunc(failed, func(a, b traces.Record) int { return a.Time.Compare(b.Time) })
	return failed, bad, errors.Join(errs...)
}

// reason returns the common part of failures of one kind: the end of a message, after the file names and commands.
func reason(detail string) string {
	detail = strings.TrimSpace(detail)
	if i := strings.LastIndex(detail, ": "); i >= 0 {
		detail = detail[i+2:]
	}
	return messages.Clip(messages.OneLine(detail, 100), 100)
}
