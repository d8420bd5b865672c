// Package templates contains the texts that gitmem writes into files, and the help topics, as data that can
// be reviewed as text. It must not know files, or formats beyond filling in names.
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

// Web returns the files of the pages that gitmem browse serves: HTML templates, script, style.
func Web() fs.FS {
	sub, _ := fs.Sub(web, "web") // it is embedded
	return sub
}

//go:embed commands.txt
var commands string

//go:embed english.txt
var english string

// Agent returns the instructions to a model for a task: research, or summary, recall or passage.
func Agent(task string) string { return text("agent/" + task + ".md") }

// text returns a file, or "" if there is none with that name.
func text(name string) string {
	b, _ := files.ReadFile(name)
	return string(b)
}

// Instructions returns the instructions to a model about when and how to use the memory tools. Claude Code
// truncates them at 2 KB.
func Instructions() string { return text("instructions.md") }

// DataInstructions returns the instructions to a researching model about the data access tools.
func DataInstructions() string { return text("datainstructions.md") }

// English returns ordinary English words in base forms, one per line, sorted: a word that is not among them
// may be a name.
func English() string { return english }

// Languages calls each for words of other languages that shape a question, with their English equivalent or
// "". The head of the list describes how it is made.
func Languages(each func(english, word string)) {
	lists("languages.txt", func(english, word string) { each(strings.TrimPrefix(english, "-"), word) })
}

// lists reads a file of lists, one per line as "name: item, item"; other lines, and those that begin with #,
// are comments.
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

// Change is a word, or a verb with its particles, for a change: Axis is what changes, and Sign whether the
// word adds (+1) or ends (-1) it. Everyday words only mean that if they are the verb of a sentence.
type Change struct {
	Words    string
	Axis     string
	Sign     int
	Everyday bool
}

// Changes calls each for the words for changes; the head of the list describes its format.
func Changes(each func(Change)) {
	lists("changes.txt", func(name, words string) {
		axis, of, _ := strings.Cut(name, " ")
		sign, everyday := strings.CutSuffix(of, "everyday")
		each(Change{words, axis, map[string]int{"+": 1, "-": -1}[strings.TrimSpace(sign)], everyday})
	})
}

// NotNames returns words that look like a name and usually are none, prefixed with their position, as "at
// param"; the head of the list describes the positions.
func NotNames() map[string]bool {
	words := map[string]bool{}
	lists("notnames.txt", func(at, word string) { words[at+" "+word] = true })
	return words
}

// Agreements returns the words of prompts without a subject, such as greetings, agreement and encouragement
// to continue; the head of the list describes its format.
func Agreements() (words []string) {
	for line := range strings.Lines(text("agreements.txt")) {
		if line[0] != '#' {
			words = append(words, strings.Fields(strings.TrimPrefix(line, greeting))...)
		}
	}
	return words
}

// greeting begins the line of [Agreements] with greetings.
const greeting = "greeting:"

// Greetings returns the greetings among [Agreements].
func Greetings() (words []string) {
	for line := range strings.Lines(text("agreements.txt")) {
		if rest, ok := strings.CutPrefix(line, greeting); ok {
			words = append(words, strings.Fields(rest)...)
		}
	}
	return words
}

// Synonyms returns the acronyms and synonyms that expand searches, one group per line; its head describes the
// format.
func Synonyms() string { return text("synonyms.txt") }

// Profile returns a list for finding what messages reveal about their author: names, cues or patterns. Its
// head describes the format.
func Profile(list string) string { return text("profile/" + list + ".txt") }

// Common returns the share of developers' texts that contain a word, by its stem; very rare words are not
// included.
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

// Rivals returns groups of mutually exclusive terms, such as tabs and spaces, of which a project uses one.
func Rivals() [][]string {
	var groups [][]string
	for line := range strings.Lines(text("rivals.txt")) {
		if words := strings.Fields(line); len(words) > 0 && words[0] != "#" {
			groups = append(groups, words)
		}
	}
	return groups
}

// Domain is the subject of some files of a repository.
type Domain struct {
	Name       string
	Extensions []string // of the files, without their dots
	Words      []string // in rules about it
}

// Domains returns what rules can be about, see the head of the list.
func Domains() (list []Domain) {
	for line := range strings.Lines(text("domains.txt")) {
		if name, rest, ok := strings.Cut(line, ":"); ok && line[0] != '#' {
			extensions, words, _ := strings.Cut(rest, "|")
			list = append(list, Domain{name, strings.Fields(extensions), strings.Fields(words)})
		}
	}
	return list
}

// Ideas returns the model that finds the ideas in a session, in the format of package linear.
func Ideas() string { return text("models/ideas.txt") }

// Claims returns the model that judges whether a source answers a question.
func Claims() string { return text("models/claims.txt") }

// TopicShifts returns the model that finds the prompts of a session that begin another topic.
func TopicShifts() string { return text("models/topics.txt") }

// Pasted returns the model that distinguishes pasted lines of a prompt from typed ones.
func Pasted() string { return text("models/pasted.txt") }

// Orders returns the model that finds where in a message a standing order begins.
func Orders() string { return text("models/orders.txt") }

// CommonStems returns the stems of words that occur in sessions about any subject, separated by spaces.
func CommonStems() string { return text("models/common.txt") }

// Cues calls each for phrases that mark an idea of an intent. For the intent "topic" they mark a change of
// subject, for "shift" an unambiguous one, and for "return" going back to an earlier subject. For "not" they
// negate another phrase, and for "tentative" they mark something undecided. For "done" and the names of
// assertions they mark how far a sentence asserts that something is true.
func Cues(each func(intent, phrase string)) { lists("cues.txt", each) }

// Phrase is a phrase that something is no longer used.
type Phrase struct {
	Words  []string
	Stands string // position of what is no longer used: behind, before or last, see dropping.txt
}

// Dropping returns the phrases that something is no longer used.
func Dropping() (list []Phrase) {
	lists("dropping.txt", func(stands, phrase string) { list = append(list, Phrase{strings.Fields(phrase), stands}) })
	return list
}

// Closes returns the model that finds sentences that answer a question or report that a task is done.
func Closes() string { return text("models/closes.txt") }

// Proposal returns the body of a pull request for a rule, with {{does}}, {{file}}, {{when}}, {{rule}},
// {{evidence}}, {{near}}, {{against}}, {{replaces}}, {{branch}} and {{request}}.
func Proposal() string { return text("proposal.md") }

// Sessions returns the head of a day's session archive, with {{project}} and {{date}}.
func Sessions() string { return text("sessions.md") }

// Observations returns the head of a session's observation log, with {{project}}, {{date}} and {{session}}.
func Observations() string { return text("observations.md") }

// Memory returns the head of a file of notes, with {{kind}} and {{project}}.
func Memory() string { return text("memory.md") }

// Tasks returns the head of a project's list of tasks, with {{project}}.
func Tasks() string { return text("tasks.md") }

// Decision returns the head of a decision, with {{id}}, {{date}}, {{status}} and {{project}}.
func Decision() string { return text("decision.md") }

// Topics returns the names of the help topics, sorted.
func Topics() []string {
	var names []string
	topics, _ := files.ReadDir("help") // the folder is embedded
	for _, f := range topics {
		names = append(names, strings.TrimSuffix(f.Name(), ".md"))
	}
	return names
}

// Topic returns the text of a help topic, in Markdown, whose first line is its title, or "" if there is no
// topic with that name.
func Topic(name string) string { return text("help/" + name + ".md") }

// Command returns the help of a command, such as gitmem ask, and its examples; each is "" if there is none.
func Command(path string) (long, example string) {
	part := func(name string) string {
		_, rest, _ := strings.Cut(commands, "\n-- "+name+" --\n")
		text, _, _ := strings.Cut(rest, "\n-- ")
		return text
	}
	return part(path), strings.TrimRight(part(path+" example"), "\n")
}

// Fill replaces each {{name}} with its value. Values stay on one line, so that none can add a frontmatter
// key; names without a value are unchanged.
func Fill(text string, values map[string]string) string {
	for name, value := range values {
		text = strings.ReplaceAll(text, "{{"+name+"}}", strings.Join(strings.Fields(value), " "))
	}
	return text
}
