package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// conversation is a conversation in LoCoMo's file format.
type conversation struct {
	ID  string                     `json:"sample_id"`
	All map[string]json.RawMessage `json:"conversation"`
	QA  []struct {
		Question string   `json:"question"`
		Evidence []string `json:"evidence"`
		Category int      `json:"category"`
	} `json:"qa"`
}

// unanswerable is LoCoMo's category of questions without an answer.
const unanswerable = 5

// asked is a question with the turns that answer it.
type asked struct {
	question string
	turns    []string
}

// read converts a conversation to sessions, one transcript each, and returns its questions with the turns
// that answer them.
func (c conversation) read(h home) (s spoken, questions []asked, err error) {
	s = spoken{home: h, name: c.ID}
	var first string
	if err := json.Unmarshal(c.All["speaker_a"], &first); err != nil {
		return s, nil, fmt.Errorf("%s: speaker_a: %w", c.ID, err)
	}
	for n := 1; ; n++ {
		key := fmt.Sprintf("session_%d", n)
		raw, ok := c.All[key]
		if !ok && n > len(c.All) {
			break
		}
		if !ok {
			continue
		}
		var said []struct {
			Speaker string `json:"speaker"`
			ID      string `json:"dia_id"`
			Text    string `json:"text"`
			Caption string `json:"blip_caption"`
		}
		var when string
		if err := json.Unmarshal(raw, &said); err != nil {
			return s, nil, fmt.Errorf("%s: %s: %w", c.ID, key, err)
		}
		if err := json.Unmarshal(c.All[key+"_date_time"], &when); err != nil {
			return s, nil, fmt.Errorf("%s: %s_date_time: %w", c.ID, key, err)
		}
		at, err := time.Parse("3:04 pm on 2 January, 2006", when)
		if err != nil {
			return s, nil, fmt.Errorf("%s: %s_date_time: %w", c.ID, key, err)
		}
		session := fmt.Sprintf("30000000-0000-4000-8000-%012x", n)
		for i, t := range said {
			text := t.Speaker + ": " + t.Text
			if t.Caption != "" {
				text += " [shared a photo: " + t.Caption + "]"
			}
			s.turns = append(s.turns, turn{ID: t.ID, Session: session, Speaker: t.Speaker, Text: text,
				At: at.Add(time.Duration(30*i) * time.Second), Answers: t.Speaker != first})
		}
	}
	for _, q := range c.QA {
		one := asked{question: q.Question}
		for _, e := range q.Evidence {
			if id := strings.TrimSpace(e); s.byID(id).session != "" && !slices.Contains(one.turns, id) {
				one.turns = append(one.turns, id)
			}
		}
		if q.Category != unanswerable && len(one.turns) > 0 {
			questions = append(questions, one)
		}
	}
	return s, questions, nil
}

// retrieval fills the section about long conversations.
func (p *publisher) retrieval(ctx context.Context, s *section) error {
	if p.locomo == "" {
		s.Missing = append(s.Missing,
			"LoCoMo's file was not named (-locomo locomo10.json). Its licence does not let this project carry it")
		return nil
	}
	b, err := os.ReadFile(p.locomo)
	if err != nil {
		return err
	}
	var all []conversation
	if err := json.Unmarshal(b, &all); err != nil {
		return fmt.Errorf("%s: %w", p.locomo, err)
	}
	var scores []memoryScore
	for _, m := range p.memories() {
		score := memoryScore{who: m.who, missing: m.missing}
		for i, c := range all {
			if score.missing != "" {
				break
			}
			of, questions, err := c.read(home{dir: filepath.Join(p.dir, "locomo", fmt.Sprint(i)), env: p.env})
			if err != nil {
				return err
			}
			p.tell(fmt.Sprintf("%s: %s, %d questions", m.who, c.ID, len(questions)))
			if err := score.run(ctx, m, of, questions, p.least(len(questions), 3)); err != nil {
				if ctx.Err() != nil || m.who == measured {
					return err
				}
				score = score.fail(err)
			}
		}
		scores = append(scores, score)
	}
	turns := figure{Name: "turns", Text: "turns that answer, among the first five", Unit: unitShare, More: true}
	sessions := figure{Name: "sessions", Text: "sessions that answer, among the first five", Unit: unitShare, More: true}
	for _, one := range scores {
		if one.missing != "" {
			for _, f := range []*figure{&turns, &sessions} {
				f.Sides = append(f.Sides, side{Who: one.who, Missing: one.missing})
			}
			continue
		}
		turns.Sides, sessions.Sides = append(turns.Sides, shareOf(one.who, one.turns, one.turnsOf)),
			append(sessions.Sides, shareOf(one.who, one.sessions, one.among))
	}
	s.Figures = append(s.Figures, turns, sessions)
	return nil
}

// run stores a conversation in a memory and asks the questions.
func (score *memoryScore) run(ctx context.Context, m memory, of spoken, questions []asked, most int) error {
	if err := of.records(); err != nil {
		return err
	}
	a, err := m.keep(ctx, of)
	if err != nil {
		return err
	}
	if a.close != nil {
		defer a.close()
	}
	const firstFive, long = 5, 50
	for _, q := range questions[:min(most, len(questions))] {
		got, err := a.ask(ctx, q.question, long)
		if err != nil {
			return err
		}
		var turns []string
		for _, f := range got {
			if f.turn != "" && len(turns) < firstFive && !slices.Contains(turns, f.turn) {
				turns = append(turns, f.turn)
			}
		}
		near := sessionsOf(got, firstFive)
		var wanted []string
		for _, id := range q.turns {
			score.turnsOf++
			score.turns += one(slices.Contains(turns, id))
			if session := of.byID(id).session; !slices.Contains(wanted, session) {
				wanted = append(wanted, session)
				score.among++
				score.sessions += one(slices.Contains(near, session))
			}
		}
	}
	return nil
}
