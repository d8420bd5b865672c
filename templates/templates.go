// Package templates holds the text that gitmem writes into files, and the topics of
// its help, as data that is reviewed as text. It knows no file and no format beyond
// filling in names.
package templates

import (
	"embed"
	"io/fs"
	"math"
	"strconv"
	"strings"
)

//go:embed help/*.md agent/*.md models/*.txt instructions.md datainstructions.md sessions.md observations.md
//go:embed memory.md tasks.md decision.md agreements.txt changes.txt common.txt cues.txt domains.txt dropping.txt
//go:embed proposal.md rivals.txt synonyms.txt languages.txt notnames.txt profile/*.txt
var files embed.FS

//go:embed web/*
var web embed.FS

// Web are the files of the pages that gitmem browse serves: HTML templates, script, style.
func Web() fs.FS {
	sub, _ := fs.Sub(web, "web") // which is embedded
	return sub
}

//go:embed commands.txt
var commands string

//go:embed english.txt
var english string

// Agent says to a model how to do a task: research, or summary, recall or passage.
func Agent(task string) string { return text("agent/" + task + ".md") }

// text is a file, "" where there is none of that name.
func text(name string) string {
	b, _ := files.ReadFile(name)
	return string(b)
}

// Instructions say to a model when and how to use the tools of memory. Claude Code cuts
// them at 2 KB.
func Instructions() string { return text("instructions.md") }

// DataInstructions say to a model that researches how to use the tools of data access.
func DataInstructions() string { return text("datainstructions.md") }

// English lists ordinary English words in base forms, one a line, sorted: what is not
// among them may be the name of something.
func English() string { return english }

// Languages gives for words of other languages that shape a question what they are in
// English, "" for nothing: the head of the list tells how it is made.
func Languages(each func(english, word string)) {
	lists("languages.txt", func(english, word string) { each(strings.TrimPrefix(english, "-"), word) })
}

// lists reads a file of lists, one a line as "name: item, item"; other lines, and those that begin
// with #, say what it is.
func lists(file string, each func(name, item string)) {
	for line := range strings.Lines(text(file)) {
		name, items, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || name[0] == '#' {
			continue
		}
		for item := range strings.SplitSeq(items, ", ") {
			each(name, item)
		}
	}
}

// Change is a word, or a verb with its particles, for a change: which axis it is on, and whether it brings
// (+1) or ends (-1) what is on it. Everyday ones say that only where they are the verb of a sentence.
type Change struct {
	Words    string
	Axis     string
	Sign     int
	Everyday bool
}

// Changes gives the words for changes; the head of the list says how it is written.
func Changes(each func(Change)) {
	lists("changes.txt", func(name, words string) {
		axis, of, _ := strings.Cut(name, " ")
		sign, everyday := strings.CutSuffix(of, "everyday")
		each(Change{words, axis, map[string]int{"+": 1, "-": -1}[strings.TrimSpace(sign)], everyday})
	})
}

// NotNames are words that look like the name of something and mostly are none, by where they
// stand, as "at param"; the head of the list tells what each place is.
func NotNames() map[string]bool {
	words := map[string]bool{}
	lists("notnames.txt", func(at, word string) { words[at+" "+word] = true })
	return words
}

// Agreements are the words of prompts that say nothing of a subject, such as greetings,
// agreement and pushes to go on; the head of the list says how they are written.
func Agreements() (words []string) {
	for line := range strings.Lines(text("agreements.txt")) {
		if line[0] != '#' {
			words = append(words, strings.Fields(strings.TrimPrefix(line, greeting))...)
		}
	}
	return words
}

// greeting begins the line of agreements that are greetings.
const greeting = "greeting:"

// Greetings are those of [Agreements] by which people greet.
func Greetings() (words []string) {
	for line := range strings.Lines(text("agreements.txt")) {
		if rest, ok := strings.CutPrefix(line, greeting); ok {
			words = append(words, strings.Fields(rest)...)
		}
	}
	return words
}

// Synonyms is the list of acronyms and synonyms that searches are expanded by, one
// group a line; its head says how a line is read.
func Synonyms() string { return text("synonyms.txt") }

// Profile is data by which messages are read for what they say about their writer: names,
// cues or patterns. Its head says how a line is read.
func Profile(list string) string { return text("profile/" + list + ".txt") }

// Common is how large a share of the texts of developers has a word, by its stem; the words that
// hardly any has are not in it.
func Common() map[string]float64 {
	out := map[string]float64{}
	for line := range strings.Lines(text("common.txt")) {
		words := strings.Fields(line)
		if n, err := strconv.Atoi(words[0]); err == nil {
			for _, w := range words[1:] {
				out[w] = math.Ldexp(1, -n)
			}
		}
	}
	return out
}

// Rivals are things of which a project uses one, such as tabs and spaces, in
// groups.
func Rivals() [][]string {
	var groups [][]string
	for line := range strings.Lines(text("rivals.txt")) {
		if words := strings.Fields(line); len(words) > 0 && words[0] != "#" {
			groups = append(groups, words)
		}
	}
	return groups
}

// Domain is what some files of a repository are about.
type Domain struct {
	Name       string
	Extensions []string // of the files, without their dots
	Words      []string // that rules about it have
}

// Domains are what rules can be about, see the head of the list.
func Domains() (list []Domain) {
	for line := range strings.Lines(text("domains.txt")) {
		if name, rest, ok := strings.Cut(line, ":"); ok && line[0] != '#' {
			extensions, words, _ := strings.Cut(rest, "|")
			list = append(list, Domain{name, strings.Fields(extensions), strings.Fields(words)})
		}
	}
	return list
}

// Ideas is the model that tells the ideas of a session from all else, as package linear
// writes it.
func Ideas() string { return text("models/ideas.txt") }

// Claims is the model that tells whether a source answers a question.
func Claims() string { return text("models/claims.txt") }

// TopicShifts is the model that tells which prompts of a session begin another topic.
func TopicShifts() string { return text("models/topics.txt") }

// Pasted is the model that tells the lines of a prompt that a person pasted from those they typed.
func Pasted() string { return text("models/pasted.txt") }

// Orders is the model that tells where in a message an order begins that holds from now on.
func Orders() string { return text("models/orders.txt") }

// CommonStems are the stems of words that sessions about anything have, between blanks.
func CommonStems() string { return text("models/common.txt") }

// Cues gives phrases by which people say that something is an idea of an intent, or, for the
// intent "topic", that they go on to another subject, for "shift" without a doubt, for "return" back to an
// earlier one; for "not", phrases that take one back, for "tentative" those that say that it is not settled,
// and for "done" and the names of assertions those that tell how far a sentence says that something is so.
func Cues(each func(intent, phrase string)) { lists("cues.txt", each) }

// Phrase is a phrase that says that something is used no more.
type Phrase struct {
	Words  []string
	Stands string // where what is used no more stands: behind, before or last, see dropping.txt
}

// Dropping are the phrases that say that something is used no more.
func Dropping() (list []Phrase) {
	lists("dropping.txt", func(stands, phrase string) { list = append(list, Phrase{strings.Fields(phrase), stands}) })
	return list
}

// Closes is the model that tells which sentences answer a question or tell that a task is done.
func Closes() string { return text("models/closes.txt") }

// Proposal is the body of a pull request for a rule, with {{does}}, {{file}}, {{when}}, {{rule}},
// {{evidence}}, {{near}}, {{against}}, {{replaces}},
// {{branch}} and {{request}}.
func Proposal() string { return text("proposal.md") }

// Sessions is the head of a day's session archive, with {{project}} and {{date}}.
func Sessions() string { return text("sessions.md") }

// Observations is the head of a session's observation log, with {{project}},
// {{date}} and {{session}}.
func Observations() string { return text("observations.md") }

// Memory is the head of a file of notes, with {{kind}} and {{project}}.
func Memory() string { return text("memory.md") }

// Tasks is the head of a project's list of tasks, with {{project}}.
func Tasks() string { return text("tasks.md") }

// Decision is the head of a decision, with {{id}}, {{date}}, {{status}} and {{project}}.
func Decision() string { return text("decision.md") }

// Topics are the names of the help topics, sorted.
func Topics() []string {
	var names []string
	topics, _ := files.ReadDir("help") // what is embedded can't be missing
	for _, f := range topics {
		names = append(names, strings.TrimSuffix(f.Name(), ".md"))
	}
	return names
}

// Topic is the text of a help topic, in Markdown, whose first line is its title. It is
// empty where there is no topic of that name.
func Topic(name string) string { return text("help/" + name + ".md") }

// Command is the help of a command, such as gitmem ask, and its examples; "" for what
// there is none of.
func Command(path string) (long, example string) {
	part := func(name string) string {
		_, rest, _ := strings.Cut(commands, "\n-- "+name+" --\n")
		text, _, _ := strings.Cut(rest, "\n-- ")
		return text
	}
	return part(path), strings.TrimRight(part(path+" example"), "\n")
}

// Fill puts values in place of their {{name}}. Values stay on one line, so that
// none can add a frontmatter key; names without a value stay as they are.
func Fill(text string, values map[string]string) string {
	for name, value := range values {
		text = strings.ReplaceAll(text, "{{"+name+"}}", strings.Join(strings.Fields(value), " "))
	}
	return text
}
