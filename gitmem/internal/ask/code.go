package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/internal/lazy"
)

// notTheCode introduces results of the history for a question about code.
const notTheCode = "The history is known here, not the code. What it says of this:\n"

// foundBy matches the verbs with which people ask where code is.
const foundBy = `(?:defined|declared|implemented|computed|handled|set|called|parsed)`

var codeQuestion = lazy.Pattern(`(?i)^(what (does|do) .+ do\b|where (is|are) .+ ` + foundBy + `\b)`)

// asksForCode reports whether a question asks what code does or where it is. The history only shows past states of
// code.
func asksForCode(text string) bool {
	return codeQuestion().MatchString(text)
}

var codeNameForm = lazy.Pattern(`(?i)^(?:what (?:does|do) (.+?) do|where (?:is|are) (.+?) ` + foundBy +
	`|(?:which|what) file (?:has|holds|contains|defines|declares|implements) (.+?)|where does (.+?) live|(?:where is` +
	`|what is) (.+?)(?: for| used for)?)\b\W*$`)

// codeName returns the single identifier that a question wants explained or located, or "". If the question may mean
// something else, the name must have the form of an identifier.
func codeName(text string) string {
	m := codeNameForm().FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return ""
	}
	words := strings.Fields(strings.Join(m[1:], ""))
	words = slices.DeleteFunc(words, func(w string) bool {
		return isOneOf(" the a an our function func method class type struct interface module package file helper command "+
			"macro trait constant variable decorator enum ", strings.ToLower(w))
	})
	if len(words) != 1 {
		return ""
	}
	name := strings.TrimSuffix(trimMarks(words[0]), "()")
	if name == "" || m[5] != "" && !isName(name, true) {
		return ""
	}
	return name
}

// declared inserts where an identifier is declared, and who added it and why, before the other results. It leaves an
// answer from a rule, a note or a session unchanged.
func (e *Engine) declared(ctx context.Context, q Question, o Options, a *draft) {
	name := codeName(q.Text)
	answered := a.Confidence.Verdict() == answer.Answered && a.Citations[0].Layer != cite.LayerTeam
	if name == "" || answered || !allows(o.Query.Layers, cite.LayerTeam) {
		return
	}
	d, ok := e.Leads.FindDeclaration(ctx, name)
	if !ok {
		return
	}
	text, rest := fmt.Sprintf("%s is declared in %s", name, d.Place), a.Citations
	if !strings.Contains(d.Place, ":") {
		text = fmt.Sprintf("%s is the file %s", name, d.Place)
	}
	if src, err := e.Evidence.Resolve(ctx, d.Commit); err == nil {
		c := src.Citation(1)
		if e.verify(ctx, &c, reasonOf(src)) == nil {
			rest = slices.DeleteFunc(slices.Clone(rest), func(other answer.Citation) bool { return other.ID == c.ID })
			text += ", first written by:\n" + list(c)
			a.Citations = append([]answer.Citation{c}, rest...)
		}
	}
	if len(rest) > 0 {
		text += "\n\n" + notTheCode + list(rest...)
	}
	a.setClosest(text)
}
