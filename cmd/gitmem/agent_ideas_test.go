package main

import "testing"

// TestAgentIdeas: a section contains the ideas that the model marks, if they consist of words of their line,
// with their relations; without a model, the section is unchanged.
func TestAgentIdeas(t *testing.T) {
	t.Parallel()
	const chosen, why = "We decided to use the ten ampere relay", "the pump draws seven ampere"
	two := func(text, excerpt, source, other string) any {
		return map[string]any{"text": text, "citations": []any{map[string]string{"source": "L2", "excerpt": excerpt},
			map[string]string{"source": source, "excerpt": other}}}
	}
	related, lost := two("solution answers", chosen, "L2", why), two("decision supersedes", chosen, "i-nowhere", why)
	asEver := []string{"- [work] Choose a relay", "- [decision] We decided to use the ten ampere relay", "!ideas:"}
	for _, backend := range backends() {
		for _, tt := range []struct {
			name    string
			script  []step
			section []string
			trace   string
		}{
			{name: "marks",
				script: []step{answering(claiming("context tentative", "L2", why), related,
					claiming("topic", "L1", "Choose a relay"))},
				section: []string{" · ideas: model scripted, 0 claims cut", "- [context] " + why + " (0.6 L2 ", "- [solution] " +
					chosen + " (L2 ", "\n  - relates_to [[#^i-", "- [work] Choose a relay", "![decision]", "!###", "!answers"}},
			{name: "what is made up is cut", script: []step{answering(claiming("decision", "L2", "We decided on Kafka"),
				claiming("joke", "L2", why), lost, claiming("context", "L9", why), claiming("context", "L2", why))},
				section: []string{" · ideas: model scripted, 3 claims cut", "- [context] " + why, "!Kafka", "!joke",
					"- [decision] " + chosen, "!supersedes"}},
			{name: "each once", script: []step{answering(claiming("topic", "L1", "Choose a relay"), claiming("topic", "L1",
				"Choose a relay"), claiming("Problem:", "L2", why), related, related, two("problem answers", why, "L2", chosen))},
				section: []string{"- [problem] " + why, "answers [[#^i-", "!### ", "!relates_to"}},
			{name: "closes only what it speaks of",
				script: []step{answering(claiming("todo", "L1", "and wire it"),
					two("solution answers", chosen, "L1", "and wire it"))},
				section: []string{"- [todo] and wire it", "\n  - relates_to [[#^i-", "!answers"}},
			{name: "nothing holds", script: []step{answering(claiming("decision", "L2", "We decided on Kafka"))},
				section: asEver, trace: "without the model: no claim of the model held"},
			{name: "none", script: []step{{Answer: nothingRecorded()}}, section: []string{"ideas: model scripted, 0 claims cut",
				"- [work] Choose a relay", "![decision]"}},
			{name: "torn", script: []step{{Torn: true}}, section: asEver,
				trace: "ideas of session 38c88b61 are without the model: "},
		} {
			t.Run(backend+"/"+tt.name, func(t *testing.T) {
				t.Parallel()
				d := newDesk(t)
				d.withModel(t, backend, "  ideas: on\n", tt.script)
				_, trace := d.hook(d.endPayload(), "archive")
				holds(t, "section", d.archived(), tt.section...)
				holds(t, "trace", trace, `"result":"written"`, tt.trace)
			})
		}
	}
}
