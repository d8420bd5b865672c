package profile

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/markdown"
)

// A message of more bytes is a paste: only its ends are read.
const (
	maxMessage = 16 << 10
	keptEnd    = 6 << 10
)

// sentence is one of the writer's own sentences.
type sentence struct {
	text     string // without its full stop
	lower    string // text in lower case, of the same length
	question bool
	first    bool // of the message
}

// hidden stands for what the writer only quotes. No value goes across it.
const hidden = "¤"

var (
	quoted = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("`[^`\n]*`|\"[^\"\n]{0,400}\"|“[^”]{0,400}”|„[^“”]{0,400}[“”]|「[^」]{0,400}」|«[^»]{0,400}»|(^|[\\s(])'[^'\n]{2,200}'([\\s.,;:!?)]|$)")
	})
	logged = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:\[?\d{2,4}[-/:]\d\d[-/: T]|\[\w+\] |at [\w.$]+\(|\w+ ERR!|(?:[\w.]+\.)?\w*(?:Error|Exception|error)(?:\[\w+\])?: |[$~%] |//|/\*|(?i:select|insert|update) .* (?i:from|into|set) )`)
	})
)

// sentences are what the writer of a message says in own words: no code, no quotes and
// nothing pasted.
func sentences(message string, cues cues) []sentence {
	if len(message) > maxMessage {
		message = strings.ToValidUTF8(message[:keptEnd]+"\n"+message[len(message)-keptEnd:], "")
	}
	var prose strings.Builder
	for line := range markdown.ProseLines(strings.NewReplacer("’", "'", "\u00a0", " ").Replace(message)) {
		if line.Kind == markdown.LineHeading {
			break // of a pasted document
		}
		if (line.Kind != markdown.LineText && line.Kind != markdown.LineItem) || logged().MatchString(line.Text) {
			prose.WriteString("\n")
			continue
		}
		own, pasted := cues.own(line.Words)
		prose.WriteString(own + "\n")
		if pasted {
			break
		}
	}
	var all []sentence
	for _, text := range split(quoted().ReplaceAllString(prose.String(), "$1"+hidden+"$2")) {
		if s := cues.sentence(text); s.text != "" {
			s.first = len(all) == 0
			all = append(all, s)
		}
	}
	return all
}

// own is the part of a line before a colon that somebody else's text stands behind.
func (c cues) own(line string) (own string, pasted bool) {
	for at, r := range line {
		if end := at + utf8.RuneLen(r); (r == ':' || r == '：') && (end == len(line) || r == '：' || line[end] == ' ' || line[end] == '"') &&
			c.has("paste", line[:at]) {
			return line[:at], true
		}
	}
	return line, false
}

// split cuts a text after full stops and line ends. "Tabs. Never spaces." stays together.
func split(text string) []string {
	var parts []string
	from := 0
	for i, r := range text {
		if !strings.ContainsRune(".!?\n。！？", r) {
			continue
		}
		end := i + utf8.RuneLen(r)
		rest := text[end:]
		switch next := strings.ToLower(strings.TrimLeft(rest, " ")[:min(6, len(strings.TrimLeft(rest, " ")))]); {
		case r < utf8.RuneSelf && r != '\n' && rest != "" && rest[0] != ' ' && rest[0] != '\n':
			continue
		case r == '.' && (strings.HasPrefix(next, "not ") || strings.HasPrefix(next, "never ")):
			continue
		}
		parts = append(parts, text[from:end])
		from = end
	}
	return append(parts, text[from:])
}

// sentence reads one part of a message.
func (c cues) sentence(part string) sentence {
	text := strings.TrimSpace(strings.NewReplacer(". not ", ", not ", ". never ", ", never ", ". Not ", ", not ", ". Never ", ", never ").Replace(part))
	end := len(strings.TrimRight(text, ".!?。！？ "))
	s := sentence{text: text[:end], question: strings.ContainsAny(text[end:], "?？")}
	lower := strings.ToLower(s.text)
	for _, tag := range [...]string{", ok", ", okay", ", right", ", ja", ", oder", ", gell", "，好吗", "，好不好"} {
		if s.question && strings.HasSuffix(lower, tag) {
			s.text, s.question = s.text[:end-len(tag)], false
			break
		}
	}
	for _, polite := range c.lists["request"] {
		if rest, ok := strings.CutPrefix(strings.ToLower(s.text), polite+" "); ok {
			s.text, s.question = s.text[len(s.text)-len(rest):], false
		}
	}
	s.lower = strings.Map(func(r rune) rune {
		if l := unicode.ToLower(r); utf8.RuneLen(l) == utf8.RuneLen(r) {
			return l
		}
		return r
	}, s.text)
	return s
}
