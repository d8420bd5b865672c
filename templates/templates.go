// Package templates holds the text that gitmem writes into files, and the topics of
// its help, as data that is reviewed as text. It knows no file and no format beyond
// filling in names.
package templates

import (
	"embed"
	"strings"
)

//go:embed help/*.md
var help embed.FS

//go:embed commands.txt
var commands string

//go:embed sessions.md
var sessions string

//go:embed observations.md
var observations string

//go:embed rivals.txt
var rivals string

//go:embed synonyms.txt
var synonyms string

//go:embed english.txt
var english string

//go:embed languages.txt
var languages string

//go:embed agent.md
var agent string

// Agent says to a model how to research a question.
func Agent() string { return agent }

//go:embed instructions.md
var instructions string

//go:embed datainstructions.md
var dataInstructions string

// Instructions say to a model when and how to use the tools of memory. Claude Code cuts
// them at 2 KB.
func Instructions() string { return instructions }

// DataInstructions say to a model that researches how to use the tools of data access.
func DataInstructions() string { return dataInstructions }

// English lists ordinary English words in base forms, one a line, sorted: what is not
// among them may be the name of something.
func English() string { return english }

// Languages gives for words of other languages that shape a question what they are in
// English, "" for nothing: the head of the list tells how it is made.
func Languages(each func(english, word string)) {
	for line := range strings.Lines(languages) {
		english, words, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || english[0] == '#' {
			continue
		}
		for word := range strings.SplitSeq(words, ", ") {
			each(strings.TrimPrefix(english, "-"), word)
		}
	}
}

// Synonyms is the list of acronyms and synonyms that searches are expanded by, one
// group a line; its head says how a line is read.
func Synonyms() string { return synonyms }

// Rivals are things of which a project uses one, such as tabs and spaces, in
// groups.
func Rivals() [][]string {
	var groups [][]string
	for line := range strings.Lines(rivals) {
		if words := strings.Fields(line); len(words) > 0 && words[0] != "#" {
			groups = append(groups, words)
		}
	}
	return groups
}

// Sessions is the head of a day's session archive, with {{project}} and {{date}}.
func Sessions() string { return sessions }

// Observations is the head of a session's observation log, with {{project}},
// {{date}} and {{session}}.
func Observations() string { return observations }

// Topics are the names of the help topics, sorted.
func Topics() []string {
	var names []string
	files, _ := help.ReadDir("help") // what is embedded can't be missing
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".md"))
	}
	return names
}

// Topic is the text of a help topic, in Markdown, whose first line is its title. It is
// empty where there is no topic of that name.
func Topic(name string) string {
	text, err := help.ReadFile("help/" + name + ".md")
	if err != nil {
		return ""
	}
	return string(text)
}

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
