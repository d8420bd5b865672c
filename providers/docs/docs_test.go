package docs_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/docs"
	"github.com/google/go-cmp/cmp"
)

func touch() docs.LastChange {
	return docs.LastChange{Time: time.Date(2024, 3, 1, 10, 0, 0, 0, time.UTC),
		Author: providers.Person{Name: "Ada", Email: "ada@example.org"}}
}

func TestWanted(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"README.md": true, "sub/README": true, "readme.rst": true, "CHANGELOG": true, "CHANGES.rst": true, "History.md": true,
		"docs/adr/1.md":       true,
		"doc/adr/0001-x.adoc": true, "decisions/x.md": true, "rfcs/12.txt": true, ".github/CONTRIBUTING.md": true,
		"ARCHITECTURE.md": true, "blueprints/x.md": true,
		"main.go": false, "CLAUDE.md": false, ".claude/rules/README.md": false, "vendor/x/README.md": false,
		"a/testdata/README.md": false, "readme.go": false,
		"docs/guide.md": true, "news/story.md": true, "designer.rst": true, "notes.txt": false, "doc/usage.txt": true,
		"runtime/docs/api/x.txt": true, "docs/requirements.txt": false, "doc/CMakeLists.txt": false,
		"pump.1": true, "doc/man/de/man8/pumpd.8": true, "man/pump.1.in": true, "man/pump.conf.5": true,
		"lib/libpump.so.1": true, "tests/pump.1": false, "pump.0": false, "pump.12": false, "changes.go": false,
		"adr/image.png": false, ".git/README": false,
	} {
		if got := docs.Wanted(name); got != want {
			t.Errorf("Wanted(%s) = %v", name, got)
		}
	}
}

// told formats a section as one line.
func told(s docs.Section) string {
	out := fmt.Sprintf("%s | %s | %s | %d | %s", s.ID, s.Title, s.State, s.Line, s.Time.Format(time.DateOnly))
	for _, l := range s.Links {
		out += fmt.Sprintf(" | %s %s", l.Rel, l.ID)
	}
	return out + " | " + strings.Join(strings.Fields(s.Text), " ")
}

// cutCase is a document and its sections in short.
type cutCase struct {
	name, text string
	want       []string
}

// decisionCuts are records of decisions, which have a status.
func decisionCuts() []cutCase {
	return []cutCase{
		{"docs/adr/0001-redis.md",
			"# 1. Use Redis\n\nDate: 2023-01-02\n\n## Status\n\nSuperseded by [2. Use Postgres](0002-postgres.md)\n\n" +
				"## Decision\n\nRedis.\n", []string{
				"docs:docs/adr/0001-redis.md#1-use-redis | 1. Use Redis (superseded) | superseded | 2 | 2023-01-02 | superseded " +
					"by docs:docs/adr/0002-postgres.md | Date: 2023-01-02",
				"docs:docs/adr/0001-redis.md#decision | 1. Use Redis › Decision (superseded) | superseded | 10 | 2023-01-02 | " +
					"superseded by docs:docs/adr/0002-postgres.md | Redis.",
			}},
		{"docs/adr/0002-postgres.md",
			"---\nstatus: accepted\ndate: 2023-05-06\nsupersedes: ADR-0001\n---\n# Use Postgres\n\nIt is there.\n", []string{
				"docs:docs/adr/0002-postgres.md#use-postgres | Use Postgres | accepted | 7 | 2023-05-06 | supersedes " +
					"docs:docs/adr/0001-redis.md | It is there.",
			}},
		{"adr/3.md", "# Use tin\n\n* Status: proposed\n* Date: 2023-07-08\n\n## Why\n\nLight.\n", []string{
			"docs:adr/3.md#use-tin | Use tin (proposed) | proposed | 2 | 2023-07-08 | * Status: proposed * Date: 2023-07-08",
			"docs:adr/3.md#why | Use tin › Why (proposed) | proposed | 7 | 2023-07-08 | Light.",
		}},
		{"docs/adr/0003-tin.md",
			"# 3. Use tin\n\nDate: 2023-02-03\n\n## Status\n\nAccepted\n\n" +
				"Superceded by [2. Use Postgres](0002-postgres.md)\n\n## Context\n\nTin.\n", []string{
				"docs:docs/adr/0003-tin.md#3-use-tin | 3. Use tin (superseded) | superseded | 2 | 2023-02-03 | superseded by " +
					"docs:docs/adr/0002-postgres.md | Date: 2023-02-03",
				"docs:docs/adr/0003-tin.md#context | 3. Use tin › Context (superseded) | superseded | 12 | 2023-02-03 | " +
					"superseded by docs:docs/adr/0002-postgres.md | Tin.",
			}},
		{"docs/adr/0004-lead.md",
			"# Use lead\n\n## Date\n\n3rd February 2023\n\n## Status\n\nDeprecated.\n\n" +
				"Supercedes [1. Use Redis](0001-redis.md)\n\n## Context\n\nLead.\n", []string{
				"docs:docs/adr/0004-lead.md#context | Use lead › Context (deprecated) | deprecated | 14 | 2023-02-03 | " +
					"supersedes docs:docs/adr/0001-redis.md | Lead.",
			}},
		{"docs/adr/0005-zinc.md",
			"---\nstatus: \"superseded by [ADR-0002](0002-postgres.md)\"\ndate: 2023-04-05\n---\n# Use zinc\n\nZinc.\n",
			[]string{
				"docs:docs/adr/0005-zinc.md#use-zinc | Use zinc (superseded) | superseded | 6 | 2023-04-05 | superseded by " +
					"docs:docs/adr/0002-postgres.md | Zinc.",
			}},
	}
}

// changelogCuts are lists of changes by release.
func changelogCuts() []cutCase {
	return []cutCase{
		{"HISTORY.md", "# [1.2.0](https://example.org/2) (2024-03-02)\n\n### Features\n\n* a lid\n\n" +
			"## [1.1.1](https://example.org/1) (2024-02-01)\n\n### Bug Fixes\n\n* a leak\n* a hole\n\n" +
			"# 1.1.0 (January 3rd, 2024)\n\n* a pump\n", []string{
			"docs:HISTORY.md#120-2024-03-02 | HISTORY.md › 1.2.0 (2024-03-02) |  | 2 | 2024-03-02 | ### Features * a lid",
			"docs:HISTORY.md#111-2024-02-01/a-leak | HISTORY.md › 1.1.1 (2024-02-01) › Bug Fixes |  | 11 | 2024-02-01 | * a " +
				"leak",
			"docs:HISTORY.md#111-2024-02-01/a-hole | HISTORY.md › 1.1.1 (2024-02-01) › Bug Fixes |  | 12 | 2024-02-01 | * a " +
				"hole",
			"docs:HISTORY.md#110-january-3rd-2024 | HISTORY.md › 1.1.0 (January 3rd, 2024) |  | 15 | 2024-01-03 | * a pump",
		}},
		{"CHANGELOG.md",
			"# Changelog\n\nAll of it.\n\n## [1.1.0] - 2024-02-03\n\n### Fixed\n\n- A leak\n\n### Added\n\n- A lid\n\n" +
				"## v1.0\n\n2023-12-24\n\n- First\n", []string{
				"docs:CHANGELOG.md#changelog | CHANGELOG.md › Changelog |  | 2 | 2024-03-01 | All of it.",
				"docs:CHANGELOG.md#110---2024-02-03/a-leak | CHANGELOG.md › Changelog › [1.1.0] - 2024-02-03 › Fixed |  | 9 | " +
					"2024-02-03 | - A leak",
				"docs:CHANGELOG.md#110---2024-02-03/a-lid | CHANGELOG.md › Changelog › [1.1.0] - 2024-02-03 › Added |  | 13 | " +
					"2024-02-03 | - A lid",
				"docs:CHANGELOG.md#v10/first | CHANGELOG.md › Changelog › v1.0 |  | 19 | 2023-12-24 | - First",
			}},
		{"CHANGES.rst",
			"Version 2.0.0\n-------------\n\nReleased 2024-04-05\n\n-   Drop tin.\n\nVersion 1.0\n-----------\n\n-   Begin.\n",
			[]string{
				"docs:CHANGES.rst#version-200/drop-tin | CHANGES.rst › Version 2.0.0 |  | 6 | 2024-04-05 | - Drop tin.",
				"docs:CHANGES.rst#version-10 | CHANGES.rst › Version 1.0 |  | 10 | 2024-03-01 | - Begin.",
			}},
		{"NEWS.md", "## [2.1.0](https://example.org/compare/v2...v2.1) (2024-05-06)\n\n" +
			"1. A lid ([0123abc](https://example.org/commit/0123abc4567), closes #7)\n" +
			"2. [A leak](https://example.org/8), deadbeef, 12345678\n\n## [2.0.0](https://example.org/2) - Unreleased\n\n" +
			"- Begin with 0123abc4567\n", []string{
			"docs:NEWS.md#210-2024-05-06/a-lid-0123abc-closes-7 | NEWS.md › 2.1.0 (2024-05-06) |  | 3 | 2024-05-06 | contains " +
				"git:commit:0123abc4567 | 1. A lid ([0123abc](https://example.org/commit/0123abc4567), closes #7)",
			"docs:NEWS.md#210-2024-05-06/a-leak-deadbeef-12345678 | NEWS.md › 2.1.0 (2024-05-06) |  | 4 | 2024-05-06 | 2. [A " +
				"leak](https://example.org/8), deadbeef, 12345678",
			"docs:NEWS.md#200---unreleased | NEWS.md › 2.0.0 - Unreleased | unreleased | 7 | 2024-03-01 | contains " +
				"git:commit:0123abc4567 | - Begin with 0123abc4567",
		}},
	}
}

// manualCuts are pages of manuals.
func manualCuts() []cutCase {
	return []cutCase{
		{"doc/pump.1", ".\\\" not this\n.TH PUMP 1\n.SH NAME\npump \\- moves \\fIwater\\fR\n.SH \"THE OPTIONS\"\n.PP\n" +
			"Some:\n.TP 4\n\\fB\\-d\\fP, \\fB\\-\\-dry\\-run\\fP \\(lqNUM\\(rq\n" +
			"Move no water, see\n.BR pumpd (8),\n.IP \\(bu 2\nor \\e.\n.SS \"Two words\"\n# it\n", []string{
			"docs:doc/pump.1#name | pump.1 › NAME |  | 4 | 2024-03-01 | pump - moves water",
			"docs:doc/pump.1#the-options | pump.1 › THE OPTIONS |  | 6 | 2024-03-01 | Some: -d, --dry-run “NUM” Move no " +
				"water, see pumpd(8), • or \\.",
			"docs:doc/pump.1#two-words | pump.1 › THE OPTIONS › Two words |  | 15 | 2024-03-01 | # it",
		}},
		{"pump.1", ".Dd $Mdocdate$\n.Dt PUMP 1\n.Os\n.Sh DESCRIPTION\n.Nm\nmoves water.\n.Bl -tag -width Ds\n" +
			".It Fl d Ar number\nMove no water:\n.Ic pump Ns Oo Fl d Oc .\n.El\n", []string{
			"docs:pump.1#description | pump.1 › DESCRIPTION |  | 5 | 2024-03-01 | pump moves water. -d number Move no water: " +
				"pump -d.",
		}},
		{"lib/libpump.so.1", "\x7fELF\n", nil},
	}
}

// pageCuts are pages of any other form, and files that are no document.
func pageCuts() []cutCase {
	return []cutCase{
		{"doc/usage.txt", "Usage\n=====\n\nTurn it on.\n",
			[]string{"docs:doc/usage.txt#usage | usage.txt › Usage |  | 3 | 2024-03-01 | Turn it on."}},
		{"docs/pump.md", "# Pump <!-- omit in toc -->\n\n<!-- A remark\n\n## No part\n-->\nIt <!-- never --> pumps.\n",
			[]string{
				"docs:docs/pump.md#pump | pump.md › Pump |  | 2 | 2024-03-01 | It pumps.",
			}},
		{"README.adoc", "= Pump\n\nText.\n\n== Use\n\nOn.\n\n== Use\n\nOff.\n", []string{
			"docs:README.adoc#pump | README.adoc › Pump |  | 2 | 2024-03-01 | Text.",
			"docs:README.adoc#use | README.adoc › Pump › Use |  | 6 | 2024-03-01 | On.",
			"docs:README.adoc#use-1 | README.adoc › Pump › Use |  | 10 | 2024-03-01 | Off.",
		}},
		{"blueprints/pump.md", "---\nname: The pump\nsummary: How water moves.\n---\nMore.\n", []string{
			"docs:blueprints/pump.md | The pump |  | 5 | 2024-03-01 | How water moves. More.",
		}},
		{"README", "Plain words.\n", []string{"docs:README | README |  | 1 | 2024-03-01 | Plain words."}},
		{"main.go", "package main\n", nil},
		{"README.md", "", nil},
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	siblings := []string{"docs/adr/0001-redis.md", "docs/adr/0002-postgres.md"}
	for _, tt := range slices.Concat(decisionCuts(), changelogCuts(), manualCuts(), pageCuts()) {
		var got []string
		for _, s := range docs.Cut(tt.name, []byte(tt.text), touch(), siblings) {
			got = append(got, told(s))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestOwners(t *testing.T) {
	t.Parallel()
	o := docs.ParseOwners([]byte("# all\n*  @org/all\n*.js @js # comment\n/docs/ @docs\ndocs/api/* @api\napps/ @apps\n" +
		"/build/**/gen @gen\n!x @no\nwith\\ blank.md @blank\n/free\n/app/\\[id\\]/ @id\n\n[Section][2] @usual\n/section/\n"))
	for name, want := range map[string][]string{
		"x.go": {"@org/all"}, "a/b.js": {"@js"}, "docs/x.md": {"@docs"}, "docs/api/x.md": {"@api"},
		"docs/api/deep/x.md": {"@docs"}, "a/docs/x.md": {"@org/all"},
		"a/apps/x": {"@apps"}, "build/gen": {"@gen"}, "build/a/b/gen/x": {"@gen"}, "with blank.md": {"@blank"}, "free": nil,
		"app/[id]/p.tsx": {"@id"}, "section/x": {"@usual"}, "docs": {"@org/all"},
	} {
		if diff := cmp.Diff(want, o.Of(name), cmp.Transformer("empty", func(s []string) string {
			return strings.Join(s, " ")
		})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if diff := cmp.Diff([]int{8}, o.Skipped); diff != "" {
		t.Error(diff)
	}
}

// FuzzCut splits arbitrary texts: ids are unique, titles are single lines, texts are parts of the document.
func FuzzCut(f *testing.F) {
	f.Add("docs/adr/1.md", "# 1\n\n## Status\n\nSuperseded by ADR 2\n")
	f.Add("CHANGES.rst", "1.0\n---\n\n2024-01-02\n\nx\n===\n")
	f.Add("README.adoc", "= A\n== A\n== A-1\n")
	f.Add("CHANGELOG.md", "## 1.0\n### x\n# 2.0\n")
	f.Add("pump.1", ".TH P 1\n.SH\n\\fBx\\(\n.SS \"a\n\\[u2019]\n.Nm\n")
	f.Add("CHANGELOG.md", "x\n# !\ny\n# ?\nz\n# section 1\nw\n")
	f.Fuzz(func(t *testing.T, name, text string) {
		seen := map[string]bool{}
		for _, s := range docs.Cut(name, []byte(text), touch(), []string{name, "docs/adr/2.md"}) {
			if seen[s.ID] || s.Title == "" || strings.ContainsAny(s.Title, "\n\r") || s.Line < 1 ||
				s.Line > strings.Count(text, "\n")+1 {
				t.Fatalf("%q, line %d: %q, seen: %v", s.ID, s.Line, s.Title, seen[s.ID])
			}
			seen[s.ID] = true
		}
		docs.Whole(name, []byte(text), touch(), nil)
	})
}

// FuzzOwners parses arbitrary texts and never fails.
func FuzzOwners(f *testing.F) {
	f.Add("* @a\n/x/** @b\n[S] @c\n", "x/y")
	f.Fuzz(func(t *testing.T, src, name string) {
		if o := docs.ParseOwners([]byte(src)); len(o.Of(name)) > strings.Count(src, " ")+strings.Count(src, "\t")+len(src) {
			t.Fatal("more owners than words")
		}
	})
}
