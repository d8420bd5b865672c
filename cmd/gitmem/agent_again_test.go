package main

import "testing"

// TestAgentAgain: a model that is configured later finds the ideas in archived sessions; if it fails later or
// is turned off, these ideas remain.
func TestAgentAgain(t *testing.T) {
	t.Parallel()
	const why = "the pump draws seven ampere"
	for _, backend := range backends() {
		t.Run(backend, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.run("", "backfill", "--all")
			built := d.archived()
			d.withModel(t, backend, "  ideas: on\n",
				[]step{answering(claiming("context tentative", "L2", why), claiming("decision", "L2", "We decided on Kafka"))})
			r := d.run("", "backfill", "--again", "--all", "--dry-run")
			holds(t, "dry run", r.out, "would change 0 of 1 section, 1 for a model to read\n")
			r = d.run("", "backfill", "--again", "--all")
			holds(t, "again", r.out+r.err, "session:2026-11-19#s-38c88b61: 2 lines added, 2 dropped\nchanged 1 of 1 section\n")
			marked := d.archived()
			holds(t, "section", marked, " · ideas: model scripted, 1 claim cut · through: ", "- [context] "+why+" (0.6 L2 ",
				"- [work] Choose a relay", "![decision]", "!Kafka")
			for name, script := range map[string][]step{"torn": {{Torn: true}},
				"made up": {answering(claiming("decision", "L2", "We decided on Kafka"))}} {
				d.withModel(t, backend, "  ideas: on\n", script)
				r = d.run("", "backfill", "--again", deskSession)
				holds(t, name, r.out+r.err, "changed 0 of 1 section, 1 left\n",
					"gitmem: session:2026-11-19#s-38c88b61 was left as it is: ")
			}
			d.withModel(t, backend, "", nil)
			r = d.run("", "backfill", "--again", "--all")
			holds(t, "nothing asked for", r.out+r.err, "changed 0 of 1 section, 1 with a model's ideas\n")
			r = d.run("", "backfill", "--again", deskSession)
			holds(t, "without", r.out+r.err, "changed 0 of 1 section, 1 left\n",
				"its ideas are a model's, and no model is asked now")
			if now := d.archived(); now != marked || now == built {
				t.Errorf("%s\n%s", built, now)
			}
		})
	}
}
