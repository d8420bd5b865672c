package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v2"
)

// Config is what a config.yaml says.
type Config struct {
	Capture         bool // hooks write what happens
	Exclude         []Rule
	KeepTranscripts bool // transcripts outlive the client's own
	Recall          bool // prompts are told what memory holds of their subject
	RecallNotice    bool // the person is shown what that is from
	CrossProject    bool // what the client runs is told of all projects
	// Expand is what searches are expanded by: none, minimal or full; "" for what the
	// search takes by itself.
	Expand string
	// IndexTools is how much of a transcript is indexed beside what is said and
	// planned: ToolsOn, ToolsNames or ToolsOff.
	IndexTools string
	Embed      Embed
	Forges     Forges
	Jira       Jira
	// FetchWait is how long a question waits for a forge or a tracker, 0 for what the
	// questions take by themselves.
	FetchWait time.Duration
}

// Values of Config.IndexTools.
const (
	ToolsOn    = "on"    // calls of tools, their results, and thinking
	ToolsNames = "names" // calls only
	ToolsOff   = "off"   // none of these
)

// Default is the configuration of a root without a file.
func Default() Config {
	return Config{Capture: true, Recall: true, RecallNotice: true, IndexTools: ToolsOn}
}

// maxBytes is far more than a person writes; a larger file is something else.
const maxBytes = 1 << 20

// file is the form of the file. Its types report what does not fit by its line.
type file struct {
	Capture onOff     `yaml:"capture"`
	Exclude []item    `yaml:"exclude"`
	Keep    onOff     `yaml:"keep_transcripts"`
	Recall  onOff     `yaml:"recall"`
	Notice  onOff     `yaml:"recall_notice"`
	Cross   onOff     `yaml:"cross_project"`
	Expand  level     `yaml:"expand"`
	Tools   tools     `yaml:"index_tools"`
	Embed   embedding `yaml:"embed"`
	Forges  forges    `yaml:"forges"`
	Jira    tracker   `yaml:"jira"`
	Wait    wait      `yaml:"fetch_wait"`
}

const knownKeys = "capture, exclude, expand, index_tools, keep_transcripts, recall, recall_notice, cross_project, embed, forges, jira, fetch_wait"

type onOff bool

// UnmarshalYAML implements yaml.Unmarshaler.
func (o *onOff) UnmarshalYAML(unmarshal func(any) error) error {
	var b bool
	if err := unmarshal(&b); err != nil {
		return at(err, "neither on nor off: write on or off")
	}
	*o = onOff(b)
	return nil
}

// level is how far searches are expanded.
type level string

// UnmarshalYAML implements yaml.Unmarshaler.
func (l *level) UnmarshalYAML(unmarshal func(any) error) error {
	var s string
	if err := unmarshal(&s); err != nil || s != "none" && s != "minimal" && s != "full" {
		if err == nil {
			err = unmarshal(&struct{}{})
		}
		return at(err, "not known: write none, minimal (acronyms) or full (synonyms too)")
	}
	*l = level(s)
	return nil
}

// tools is how much of the work with tools is indexed.
type tools string

// UnmarshalYAML implements yaml.Unmarshaler. YAML takes on and off for truth values.
func (t *tools) UnmarshalYAML(unmarshal func(any) error) error {
	var on onOff
	var text string
	switch {
	case unmarshal(&on) == nil && bool(on):
		*t = ToolsOn
	case unmarshal(&on) == nil:
		*t = ToolsOff
	case unmarshal(&text) == nil && (text == ToolsOn || text == ToolsNames || text == ToolsOff):
		*t = tools(text)
	default:
		return at(unmarshal(&struct{}{}), "neither on nor names nor off: write one of them")
	}
	return nil
}

// item is one entry of exclude.
type item struct{ rule Rule }

// UnmarshalYAML implements yaml.Unmarshaler. It asks for the line by decoding the
// entry into what no entry fits: the decoder tells lines in its complaints only.
func (i *item) UnmarshalYAML(unmarshal func(any) error) error {
	var text string
	if err := unmarshal(&text); err != nil {
		return at(err, "not a text: write one folder or remote in each line")
	}
	line := lineOf(unmarshal(&struct{}{}))
	r, err := parseRule(text)
	if err != nil {
		return complaint(line, err.Error())
	}
	r.Line = line
	i.rule = r
	return nil
}

// at gives a complaint of the decoder another text with the same line.
func at(err error, text string) error {
	return complaint(lineOf(err), text)
}

// lineOf is the line that an error of the decoder names first, 0 for none.
func lineOf(err error) int {
	if err == nil {
		return 0
	}
	_, rest, ok := strings.Cut(err.Error(), "line ")
	if !ok {
		return 0
	}
	n, _ := strconv.Atoi(rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))])
	return n
}

// Parse reads a config.yaml. What it does not say is as in [Default]. The error
// names a line, the key it belongs to, and the way out.
func Parse(src []byte) (Config, error) {
	if len(src) > maxBytes {
		return Config{}, errors.New("line 1: the file is larger than 1 MiB: it can't be a configuration")
	}
	d := Default()
	f := file{Capture: onOff(d.Capture), Recall: onOff(d.Recall), Notice: onOff(d.RecallNotice), Tools: tools(d.IndexTools)}
	dec := yaml.NewDecoder(bytes.NewReader(src))
	dec.SetStrict(true)
	err := dec.Decode(&f)
	if err == nil {
		if err = dec.Decode(&file{}); err == nil {
			return Config{}, fmt.Errorf("line %d: a second document begins: remove the line ---", secondDocument(src))
		}
	}
	if !errors.Is(err, io.EOF) {
		return Config{}, explain(src, err)
	}
	if err := nulls(src, f); err != nil {
		return Config{}, err
	}
	if f.Tools == "" { // which no key can say: a document of null wipes what was there
		return d, nil
	}
	return f.config(), nil
}

func (f file) config() Config {
	c := Config{
		Capture: bool(f.Capture), KeepTranscripts: bool(f.Keep), Recall: bool(f.Recall), RecallNotice: bool(f.Notice), CrossProject: bool(f.Cross),
		Expand: string(f.Expand), IndexTools: string(f.Tools), Embed: Embed(f.Embed), Forges: Forges(f.Forges), Jira: Jira(f.Jira), FetchWait: time.Duration(f.Wait),
	}
	for _, i := range f.Exclude {
		c.Exclude = append(c.Exclude, i.rule)
	}
	return c
}

// nulls complains of keys and entries without a value, which the decoder passes
// over: what was meant is not known. A list whose entries are all commented out is
// an empty list.
func nulls(src []byte, f file) error {
	for i, e := range f.Exclude {
		if e.rule.Text == "" {
			return fmt.Errorf("line %d: exclude: entry %d is empty, as a bare ~ is: write a folder (~/**) or a remote, or remove it", keyLine(src, "exclude"), i+1)
		}
	}
	var keys yaml.MapSlice
	if err := yaml.Unmarshal(src, &keys); err != nil {
		return explain(src, err)
	}
	for _, k := range keys {
		if name, ok := k.Key.(string); k.Value == nil && (!ok || name != "exclude") {
			return fmt.Errorf("line %d: %v has no value: write %s, or remove it", keyLine(src, fmt.Sprint(k.Key)), k.Key, valuesOf(name))
		}
	}
	return nil
}

// valuesOf says what a key may be.
func valuesOf(key string) string {
	switch key {
	case "expand":
		return "none, minimal or full"
	case "embed":
		return "off, or model: and its name"
	case "forges":
		return "off, or a list of hosts"
	case "jira":
		return "off, or url: and projects:"
	case "fetch_wait":
		return "a time such as 10s"
	}
	return "on or off"
}

// keyLine is the line on which a key stands, 1 where it can't be told.
func keyLine(src []byte, key string) int {
	n := 0
	for line := range bytes.Lines(src) {
		n++
		if name, _, ok := strings.Cut(strings.TrimLeft(string(line), " {\"'"), ":"); ok && strings.Trim(name, " \"'") == key {
			return n
		}
	}
	return 1
}

// secondDocument is the line of the marker behind which another document begins.
func secondDocument(src []byte) int {
	n, last := 0, 1
	for line := range bytes.Lines(src) {
		n++
		if bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("...")) {
			last = n
		}
	}
	return last
}

// explain puts an error of the decoder into words that tell the way out.
func explain(src []byte, err error) error {
	var typed *yaml.TypeError
	if errors.As(err, &typed) && len(typed.Errors) > 0 {
		line := lineOf(errors.New(typed.Errors[0]))
		_, text, _ := strings.Cut(typed.Errors[0], ": ")
		return fmt.Errorf("line %d: %s", max(1, line), reword(src, line, text))
	}
	line := lineOf(err)
	if n := bareStar(src); n > 0 {
		return fmt.Errorf(`line %d: %sa rule that begins with * must stand in quotes, as in - "**/clients/*"`, n, keyAt(src, n))
	}
	text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "yaml: "), fmt.Sprintf("line %d: ", line))
	if line == 0 {
		line = oddLine(src)
	}
	if strings.Contains(text, "escape character") {
		text += ": put a path with backslashes in single quotes"
	}
	return fmt.Errorf("line %d: this is no YAML that can be read: %s", max(1, line), oneLine(text))
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// reword turns the decoder's words about Go types into words about the file.
func reword(src []byte, line int, text string) string {
	field := regexp.MustCompile(`^field (.*) (not found|already set) in type `)
	if m := field.FindStringSubmatch(text); m != nil {
		if m[2] == "already set" {
			return m[1] + " stands twice: remove one"
		}
		for _, t := range [...]struct{ of, key, known string }{
			{"config.embedFields", "embed", embedKeys}, {"config.forgeFields", "forges", forgeKeys}, {"config.jiraFields", "jira", jiraKeys},
		} {
			if strings.HasSuffix(text, t.of) {
				return fmt.Sprintf("%s: unknown key %q: known are %s", t.key, m[1], t.known)
			}
		}
		return fmt.Sprintf("unknown key %q: known are %s", m[1], knownKeys)
	}
	key := keyAt(src, line)
	switch {
	case strings.HasSuffix(text, "config.file"):
		return "keys with values are expected, as in capture: off"
	case strings.HasSuffix(text, "config.item"):
		return key + "a list is expected, one folder or remote in each line behind a -"
	case strings.Contains(text, "cannot unmarshal"):
		return fmt.Sprintf("%snot what can stand here: known keys are %s", key, knownKeys)
	}
	return key + oneLine(text)
}

// keyAt is the key that a line belongs to, with a colon behind it, "" where it
// can't be told.
func keyAt(src []byte, line int) string {
	key := ""
	n := 0
	for text := range bytes.Lines(src) {
		if n++; n > line {
			break
		}
		if m := regexp.MustCompile(`^[{ "']*([a-z_]+)["']?\s*:`).FindSubmatch(text); m != nil {
			key = string(m[1]) + ": "
		}
	}
	return key
}

// bareStar is the line of a list entry that begins with a * outside quotes, which
// YAML takes for an alias, 0 for none.
func bareStar(src []byte) int {
	n := 0
	for line := range bytes.Lines(src) {
		n++
		if regexp.MustCompile(`^\s*-\s+\*`).Match(line) {
			return n
		}
	}
	return 0
}

// oddLine is the first line with a byte that YAML does not allow, 1 where there is
// none.
func oddLine(src []byte) int {
	n := 0
	for line := range bytes.Lines(src) {
		n++
		for _, r := range string(line) {
			if r == '\uFFFD' || (r < ' ' && r != '\t' && r != '\n' && r != '\r') || (r >= 0x7f && r < 0xa0) {
				return n
			}
		}
	}
	return 1
}
