package promote

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/templates"
)

const (
	// gitmem's part of the body of a pull request is between these marks; text around them is kept.
	bodyBegin = "<!-- gitmem rule %s on%s -->"
	bodyEnd   = "<!-- gitmem end -->"
)

// body describes to reviewers what is proposed, and why.
func (plan *Plan) body() string {
	when := "in every session"
	if len(plan.Paths) > 0 {
		when = "with files that match `" + strings.ReplaceAll(messages.OneLine(strings.Join(plan.Paths, ", "), maxQuote),
			"`", "") + "`"
	}
	proof := "Stated once, by " + bare(plan.author) + "."
	if len(plan.Evidence) > 0 {
		proof = "Proposed by " + bare(plan.author) + ".\n\n" + quotes(plan.Evidence)
	}
	replaces := ""
	if len(plan.Replaces) > 0 {
		replaces = "## What it replaces\n\nThese rules say otherwise, and should go when this one is merged:\n\n" +
			fenced(strings.Join(plan.Replaces, "\n"))
	}
	does, rule := "a rule for", fenced("- "+plan.Rule)
	if plan.removed != "" {
		does, rule, replaces = "to change what is a rule of", fenced(messages.Clip(strings.TrimSpace(plan.Diff), 4*maxQuote)),
			""
		proof = "Proposed by " + bare(plan.author) + ".\n\n" + quotes(plan.Evidence)
		if len(plan.Replaces) > 0 {
			replaces = "## What is wrong about it now\n\n" + fenced(strings.Join(plan.Replaces, "\n"))
		}
	}
	text := strings.NewReplacer(
		"{{does}}", does, "{{file}}", plan.File, "{{when}}", when, "{{rule}}", rule, "{{evidence}}", proof,
		"{{branch}}", plan.Branch,
		"{{replaces}}", replaces, "{{request}}", plan.at.request(),
		"{{near}}", titled("## Others who say nearly the same", plan.Near), "{{against}}",
		titled("## Who says otherwise", plan.Against),
	).Replace(templates.Proposal())
	text = regexp.MustCompile(`\n{3,}`).ReplaceAllString(strings.TrimSpace(text), "\n\n")
	return fmt.Sprintf(bodyBegin, plan.ID, strings.Join(append([]string{""}, marks(plan.Evidence)...), " ")) + "\n" +
		text + "\n" + bodyEnd + "\n"
}

func titled(title string, list []answer.Citation) string {
	if len(list) == 0 {
		return ""
	}
	return title + "\n\n" + quotes(list)
}

var pageAddress = lazy.Pattern(`^https://[^\s()<>]+$`)

// quotes lists the contents of sources. Text of others is fenced, so that it mentions nobody, closes nothing and loads
// nothing.
func quotes(list []answer.Citation) string {
	var b strings.Builder
	for i, c := range list {
		if i == maxQuoted {
			fmt.Fprintf(&b, "- and %d more, in the message of the commit\n", len(list)-i)
			break
		}
		name := "`" + c.ID + "`"
		if pageAddress().MatchString(c.URL) {
			name = "[" + name + "](" + c.URL + ")"
		}
		b.WriteString("- " + name)
		for _, s := range []string{bare(c.Author), strings.SplitN(c.Time, "T", 2)[0]} {
			if s != "" {
				b.WriteString(", " + s)
			}
		}
		b.WriteString(":\n\n" + indented(fenced(c.Excerpt)) + "\n\n")
	}
	return strings.TrimSpace(b.String())
}

var oddSigns = lazy.Pattern(`[^\pL\pN ,'()-]+|-\b\d`)

// bare returns text of others, such as a name, in a form that is safe inside Markdown.
func bare(s string) string {
	return oddSigns().ReplaceAllString(messages.OneLine(s, maxSubject), "")
}

func fenced(text string) string {
	text = messages.Visible(text)
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "text\n" + text + "\n" + fence
}

func indented(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }

// marks returns short hashes of evidence, by which new evidence is recognised in a proposal.
func marks(list []answer.Citation) (out []string) {
	return slice.Map(list, func(c answer.Citation) string { return store.ShortHash(c.ID) })
}

// newEvidence reports whether a body lacks some of the evidence.
func newEvidence(body string, list []answer.Citation) bool {
	m := regexp.MustCompile(`(?m)^<!-- gitmem rule \S+ on(.*) -->\r?$`).FindStringSubmatch(body)
	return m != nil && slices.ContainsFunc(marks(list), func(mark string) bool {
		return !slices.Contains(strings.Fields(m[1]), mark)
	})
}

// withBody returns the body of an open pull request with our part replaced.
func withBody(old, body string) string {
	from, end := strings.Index(old, "<!-- gitmem rule "), strings.LastIndex(old, bodyEnd)
	if from < 0 || end < from {
		return old // somebody has rewritten the body: it is theirs
	}
	return old[:from] + strings.TrimSpace(body) + old[end+len(bodyEnd):]
}
