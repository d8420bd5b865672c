package transcript_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"html"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

var clones = flag.String("public", "",
	"a folder of clones, owner/name, of the repositories that testdata/sessions-public.jsonl names")

// publicSession is a line of testdata/sessions-public.jsonl: a real session published with a repository, in the
// client's format or in the Markdown of SpecStory, with the labels of people who did not see the program. The text is
// other people's and is not copied: sentences and prompts are named by hashes.
type publicSession struct {
	Repo, Commit, File string

	Half   string              // dev or sealed for one with two judges that is not used for training
	Ideas  map[string][]string // sentences by intent; with two judges, those that both named or one was sure about
	Topics []string            // prompts that begin another topic

	// Items that one of two judges named: as an idea without being sure, or as the beginning of a topic.
	Doubtful       []string
	DoubtfulTopics []string `json:"doubtful_topics"`

	// Model contains the marks of a model that was given a session of a half with the instruction of package agent: each
	// idea's intent and the sentences that it quotes.
	Model [][]string
}

// publicOf returns the published sessions of a half.
func publicOf(t *testing.T, half string) (list []publicSession) {
	t.Helper()
	for line := range strings.Lines(testdata(t, "sessions-public.jsonl")) {
		var p publicSession
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		if p.Half == half {
			list = append(list, p)
		}
	}
	return list
}

// publicIn reads the published sessions of a half, with their text and the beginnings of their topics.
func publicIn(t *testing.T, half string) (list []publicSession, read []labelledSession) {
	t.Helper()
	list = publicOf(t, half)
	for _, p := range list {
		text, err := exec.Command("git", "-C", filepath.Join(*clones, filepath.FromSlash(p.Repo)), "show", p.Commit+":"+
			p.File).Output()
		if err != nil {
			t.Fatalf("%s of %s: %v", p.File, p.Repo, err)
		}
		s := labelledSession{read: written(t, text)}
		if filepath.Ext(p.File) == ".md" {
			s = published(string(text))
		}
		p.check(t, s.messages())
		s.Topics = s.begunBy(p.Topics)
		read = append(read, s)
	}
	return list, read
}

// hashOf returns the hash that names a sentence or a prompt.
func hashOf(text string) string {
	h := fnv.New32a()
	h.Write([]byte(text))
	return fmt.Sprintf("%08x", h.Sum32())
}

// begunBy returns topics that begin with prompts of some hashes.
func (s *labelledSession) begunBy(prompts []string) (list []labelledTopic) {
	for _, m := range s.messages() {
		if m.Prompt && slices.Contains(prompts, hashOf(m.Text)) {
			list = append(list, labelledTopic{Turn: m.Line - 1})
		}
	}
	return list
}

// intents returns the intents of a sentence, none if it is not an idea.
func (p *publicSession) intents(sentence string) (list []string) {
	for _, intent := range transcript.IdeaIntents() {
		if slices.Contains(p.Ideas[intent], sentence) {
			list = append(list, intent)
		}
	}
	return list
}

// check fails for a label without a matching sentence or prompt.
func (p *publicSession) check(t *testing.T, list []transcript.Message) {
	t.Helper()
	known := map[string]bool{}
	for _, m := range list {
		known[hashOf(m.Text)] = true
		for _, s := range transcript.Statements(m.Text) {
			known[hashOf(s.Text)] = true
		}
	}
	for _, ids := range append(slices.Collect(maps.Values(p.Ideas)), p.Topics, p.Doubtful, p.DoubtfulTopics) {
		for _, id := range ids {
			if !known[id] {
				t.Errorf("%s of %s does not say %s", p.File, p.Repo, id)
			}
		}
	}
}

// The part of a session that the judges saw.
const (
	seenBytes   = 1_500_000
	seenTurns   = 60
	seenLetters = 3000 // of a prompt, and of each of three pieces of an answer
	seenCalls   = 2    // of an answer, and in a row

	seenSentences = 300 // of a session as the client wrote it
)

var (
	speaker   = regexp.MustCompile(`(?m)^_\*\*(User|Agent|Assistant)(?: \(([^\n]*?)\))?\*\*_[ \t]*$`)
	minuteOf  = regexp.MustCompile(`(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)`)
	thinking  = regexp.MustCompile(`(?s)<think>.*?</think>`)
	rules     = regexp.MustCompile(`^(---\s*)+|(\n---\s*)+$`)
	residue   = regexp.MustCompile(`(?:^|\n)\s*(?:Read file: undefined\s*|---\s*)+(?:\n|$)`)
	call      = regexp.MustCompile(`(?s)<tool-use.*?</tool-use>|<details>.*?</details>`)
	callTitle = regexp.MustCompile(`(?s)<summary>(.*?)</summary>`)
	callKind  = regexp.MustCompile(`data-tool-type="(\w+)"`)
	noCode    = regexp.MustCompile("\n(?:```|````)\n\\s*(?:```|````)(?:\n|$)")
	edits     = regexp.MustCompile(`(?i)edit|replac|creat`)
)

// written reads the messages of a session in the client's format.
func written(t *testing.T, file []byte) (list []transcript.Message) {
	t.Helper()
	said := 0
	for m, err := range transcript.NewReader(bytes.NewReader(file), transcript.Position{}).All() {
		if err != nil {
			t.Fatal(err)
		}
		if m.Sidechain || m.Synthetic() || !m.Prompt && m.Role != transcript.RoleAssistant {
			continue
		}
		if said += len(transcript.Statements(m.Text)); said > seenSentences {
			break
		}
		list = append(list, m)
	}
	return list
}

// published reads the turns of a session in the Markdown of SpecStory. Without a time, each turn takes a minute or two.
func published(text string) (s labelledSession) {
	text = strings.ReplaceAll(strings.ToValidUTF8(text[:min(len(text), seenBytes)], "\uFFFD"), "\r\n", "\n")
	start, minutes := time.Time{}, 0
	marks := speaker.FindAllStringSubmatchIndex(text, -1)
	for i, m := range marks {
		end, prompt, when := len(text), text[m[2]:m[3]] == "User", ""
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		if m[4] >= 0 {
			when = text[m[4]:m[5]]
		}
		if d := minuteOf.FindStringSubmatch(when); d != nil {
			at, _ := time.Parse("2006-01-02 15:04", d[1]+" "+d[2])
			if start.IsZero() {
				start = at
			}
			minutes = max(minutes, int(at.Sub(start).Minutes()))
		} else if minutes++; prompt {
			minutes++
		}
		body := strings.TrimSpace(rules.ReplaceAllString(strings.TrimSpace(thinking.ReplaceAllString(text[m[1]:end], "")),
			""))
		if prompt {
			s.prompt(body, minutes)
		} else {
			s.answer(body, minutes)
		}
	}
	s.Start = start.Format(time.RFC3339)
	for i := len(s.Turns) - 1; i >= 0 && len(s.Turns) > seenTurns; i-- {
		if s.Turns[i].Role == "tool" {
			s.Turns = slices.Delete(s.Turns, i, i+1)
		}
	}
	s.Turns = s.Turns[:min(len(s.Turns), seenTurns)]
	return s
}

// letters returns the end of the first n letters of a text.
func letters(text string, n int) int {
	for at := range text {
		if n == 0 {
			return at
		}
		n--
	}
	return len(text)
}

// lastTurn returns the last turn, or an empty one.
func (s *labelledSession) lastTurn() *labelledTurn {
	if len(s.Turns) == 0 {
		return &labelledTurn{}
	}
	return &s.Turns[len(s.Turns)-1]
}

func (s *labelledSession) prompt(text string, minutes int) {
	text = strings.TrimSpace(text[:letters(text, seenLetters)])
	if last := s.lastTurn(); text != "" && (last.Role != "user" || last.Text != text) {
		s.Turns = append(s.Turns, labelledTurn{Role: "user", Min: minutes, Text: text})
	}
}

func (s *labelledSession) answer(text string, minutes int) {
	text = residue.ReplaceAllString(text, "\n\n")
	calls, from := 0, 0
	for _, at := range append(call.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		s.say(text[from:at[0]], minutes)
		if from = at[1]; at[0] < at[1] && calls < seenCalls {
			calls++
			s.call(text[at[0]:at[1]], minutes)
		}
	}
}

// say adds text of the agent to its previous text, or in pieces.
func (s *labelledSession) say(text string, minutes int) {
	text = strings.TrimSpace(noCode.ReplaceAllString("\n"+strings.TrimSpace(text)+"\n", "\n"))
	if strings.Trim(text, "`-") == "" {
		return
	}
	if last := s.lastTurn(); last.Role == "assistant" && utf8.RuneCountInString(last.Text)+
		utf8.RuneCountInString(text) < seenLetters {
		last.Text += "\n\n" + text
		return
	}
	for range 3 {
		end := letters(text, seenLetters)
		if gap := strings.LastIndex(text[:end], "\n\n"); end < len(text) && gap >= letters(text, seenLetters/2) {
			end = gap
		}
		if end > 0 {
			s.Turns = append(s.Turns, labelledTurn{Role: "assistant", Min: minutes, Text: strings.TrimSpace(text[:end])})
		}
		text = strings.TrimLeft(text[end:], "\n")
	}
}

func (s *labelledSession) call(block string, minutes int) {
	if n := len(s.Turns); n >= seenCalls && s.Turns[n-1].Role == "tool" && s.Turns[n-2].Role == "tool" {
		return
	}
	part := func(pattern *regexp.Regexp) string {
		if m := pattern.FindStringSubmatch(block); m != nil {
			return m[1]
		}
		return ""
	}
	title := strings.TrimSpace(strings.NewReplacer("*", "", "`", "").Replace(html.UnescapeString(part(callTitle))))
	turn := labelledTurn{Role: "tool", Min: minutes, Name: "Read",
		Input: map[string]any{"path": title[:letters(title, 200)]}}
	if kind := part(callKind); kind == "write" || kind != "read" && edits.MatchString(title) {
		turn.Name = "Edit"
	}
	s.Turns = append(s.Turns, turn)
}

// TestPublishedTurns checks that a published session is read as its judges saw it.
func TestPublishedTurns(t *testing.T) {
	t.Parallel()
	s := published("<!-- Generated -->\n\n_**User (2026-01-02 10:00Z)**_\n\nmake it **blue**\n\n---\n\n" +
		"_**Agent (model x, 2026-01-02 10:07Z)**_\n\n<think>hm</think>\nI look.\n\n" +
		"<tool-use data-tool-type=\"write\"><details>\n<summary>Edit `a.css`</summary>\nx\n</details></tool-use>\n\n" +
		"It is blue.\r\n\nReally.\n\n---\n\n_**User**_\n\n" + strings.Repeat("ä", 4000) + "\n")
	want := []labelledTurn{
		{Role: "user", Text: "make it **blue**"},
		{Role: "assistant", Text: "I look.", Min: 7},
		{Role: "tool", Name: "Edit", Min: 7, Input: map[string]any{"path": "Edit a.css"}},
		{Role: "assistant", Text: "It is blue.\n\nReally.", Min: 7},
		{Role: "user", Text: strings.Repeat("ä", 3000), Min: 9},
	}
	if got, want := fmt.Sprint(s.Turns), fmt.Sprint(want); got != want || s.Start != "2026-01-02T10:00:00Z" {
		t.Errorf("%s\n%s\nwant %s", s.Start, got, want)
	}
}

// TestLabelledPublic logs the quality of the digests of published sessions with two judges: items that they doubt are
// neither right nor wrong.
func TestLabelledPublic(t *testing.T) {
	if *clones == "" {
		t.Skip("it needs clones: -public")
	}
	t.Parallel()
	for _, half := range []string{"dev", "sealed"} {
		fares := map[string]*publicFared{".md": {}, ".jsonl": {}}
		list, read := publicIn(t, half)
		for i, p := range list {
			d, err := transcript.Summarise(messages(read[i].messages()...))
			if err != nil {
				t.Fatal(err)
			}
			fares[filepath.Ext(p.File)].add(p, read[i], d)
		}
		for kind, f := range fares {
			t.Logf("published as %s, %s: %d sessions: ideas: %v; intents %s; topics and their parts: %v", kind, half, f.sessions,
				f.idea, ratio(f.intents, f.idea.right), f.topic)
		}
	}
}

// publicFared is the quality of digests of published sessions.
type publicFared struct {
	sessions, intents int
	idea, topic       score
}

func (f *publicFared) add(p publicSession, read labelledSession, d transcript.Digest) {
	var found [][]string
	for _, intent := range transcript.IdeaIntents() {
		for _, q := range d.Quotes[intent] {
			found = append(found, []string{intent, hashOf(q.Text)})
		}
	}
	f.ideas(p, found)
	doubted := read.begunBy(p.DoubtfulTopics)
	f.topic.borders(read, slices.DeleteFunc(d.Topics, func(topic transcript.Topic) bool {
		return slices.Contains(doubted, labelledTopic{Turn: topic.Line - 1})
	}))
}

// ideas counts found ideas, each with its intent and the sentences that it quotes.
func (f *publicFared) ideas(p publicSession, found [][]string) {
	f.sessions++
	seen := map[string]bool{}
	for _, idea := range found {
		var right []string
		for _, id := range idea[1:] {
			right = append(right, p.intents(id)...)
			seen[id] = true
		}
		switch {
		case len(right) > 0:
			f.idea.right++
			if slices.Contains(right, idea[0]) {
				f.intents++
			}
		case !slices.ContainsFunc(idea[1:], func(id string) bool { return slices.Contains(p.Doubtful, id) }):
			f.idea.wrong++
		}
	}
	for _, ids := range p.Ideas {
		for _, id := range ids {
			if !seen[id] {
				seen[id] = true
				f.idea.missing++
			}
		}
	}
}

// TestLabelledPublicByModel measures the marks of a model in the published sessions with two judges.
func TestLabelledPublicByModel(t *testing.T) {
	t.Parallel()
	for _, half := range []string{"dev", "sealed"} {
		var f publicFared
		for _, p := range publicOf(t, half) {
			f.ideas(p, p.Model)
		}
		t.Logf("published, %s: %d sessions: ideas: %v; intents %s", half, f.sessions, f.idea, ratio(f.intents, f.idea.right))
		if f.idea.precision() < 0.85 || f.idea.recall() < 0.4 || f.intents*100 < 85*f.idea.right {
			t.Error("worse than was found")
		}
	}
}
