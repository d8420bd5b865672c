package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// planted is a text with a random secret in it, and the same text without.
type planted struct{ text, secret, plain string }

// plant generates secrets from a file of forms: its texts have them between « and », with shapes in braces.
// Paths are left out, because no message contains them.
func plant(name string, most int) (all []planted, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := rand.New(rand.NewPCG(1, 3))
	shape := regexp.MustCompile(`\{([a-zA-Z])(\d+)(?:-(\d+))?\}`)
	for lines := bufio.NewScanner(f); lines.Scan() && len(all) < most; {
		var form struct{ Form, Carrier, Text string }
		if err := json.Unmarshal(lines.Bytes(), &form); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		before, rest, ok := strings.Cut(form.Text, "«")
		secret, after, closed := strings.Cut(rest, "»")
		if !ok || !closed {
			return nil, fmt.Errorf("%s: %s marks no secret", name, form.Form)
		}
		if form.Carrier == "path" {
			continue
		}
		fill := func(s string) string {
			return shape.ReplaceAllStringFunc(s, func(at string) string {
				m := shape.FindStringSubmatch(at)
				from, _ := strconv.Atoi(m[2]) // digits only
				if to, err := strconv.Atoi(m[3]); err == nil {
					from += r.IntN(to - from + 1)
				}
				return shaped(r, m[1][0], from)
			})
		}
		before, secret, after = fill(before), fill(secret), fill(after)
		all = append(all, planted{before + secret + after, secret, before + after})
	}
	return all, nil
}

// shaped generates random characters of one shape, named as in the forms: words, digits, letters, hexadecimal
// and so on.
func shaped(r *rand.Rand, class byte, n int) string {
	const digits, lower, upper = "0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	words := strings.Fields("amber birch cedar delta ember falcon garnet harbor indigo jasper kestrel lagoon maple " +
		"nectar orchid pepper quartz raven saffron tulip")
	some := func(n int, set string) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = set[r.IntN(len(set))]
		}
		return string(b)
	}
	set, ok := map[byte]string{'d': digits, 'h': digits + "abcdef", 'H': digits + "ABCDEF", 'l': lower, 'u': upper}[class]
	switch {
	case ok:
		return some(n, set)
	case class == 'x':
		return words[r.IntN(len(words))] + words[r.IntN(len(words))]
	case class == 'v':
		var all []string
		for range n {
			all = append(all, words[r.IntN(len(words))])
		}
		return strings.Join(all, " ")
	case class == 'U':
		return some(8, digits+"abcdef") + "-" + some(4, digits+"abcdef") + "-4" + some(3, digits+"abcdef") + "-a" +
			some(3, digits+"abcdef") + "-" + some(12, digits+"abcdef")
	case class == 'D':
		return base64.RawStdEncoding.EncodeToString([]byte("1" + some(max(0, n-1), digits)))
	}
	return some(n, lower+upper+digits)
}

// finder is a program that removes or detects secrets: for each text it returns the shown text, and whether
// it found anything.
type finder struct {
	who, missing string
	find         func(ctx context.Context, dir string, texts []string) (shown []string, found []bool, err error)
}

// secrets fills the section about secrets.
func (p *publisher) secrets(ctx context.Context, s *section) error {
	dir, err := questionsDir()
	if err != nil {
		return err
	}
	finders := []finder{p.redacting(measured, p.gitmem, ""), p.redacting(p.olderName(), p.older, p.missing)}
	gitleaks, err := p.gitleaks(ctx)
	leaks := finder{who: "gitleaks", find: func(ctx context.Context, dir string, texts []string) ([]string,
		[]bool, error) {
		return p.leaked(ctx, gitleaks, dir, texts)
	}}
	if err != nil {
		leaks.missing = reason(err)
	}
	finders = append(finders, leaks)
	for _, peer := range p.peers {
		if peer.name == "deja-vu" {
			finders = append(finders, finder{who: peer.name, missing: peer.missing, find: peer.shows})
		}
	}
	for _, half := range []string{"open", "sealed"} {
		all, err := plant(filepath.Join(filepath.Dir(dir), "secret-forms-"+half+".jsonl"), p.least(1000, 5))
		if err != nil {
			return err
		}
		var texts, plain []string
		for _, one := range all {
			texts, plain = append(texts, one.text), append(plain, one.plain)
		}
		caught := figure{Name: half + " found", Text: "secrets that are found, " + half + " half",
			Unit: unitShare, More: true}
		alarms := figure{Name: half + " alarms", Text: "texts without their secret in which something is found, " + half +
			" half", Unit: unitShare}
		for i, f := range finders {
			missing := f.missing
			n, alarm := 0, 0
			if missing == "" {
				n, alarm, err = f.count(ctx, filepath.Join(p.dir, "secrets", half, strconv.Itoa(i)), all, texts, plain)
				if err != nil && (ctx.Err() != nil || i == 0) {
					return err
				}
				if err != nil {
					missing = reason(err)
				}
			}
			if missing != "" {
				caught.Sides, alarms.Sides = append(caught.Sides, side{Who: f.who, Missing: missing}),
					append(alarms.Sides, side{Who: f.who, Missing: missing})
				continue
			}
			caught.Sides, alarms.Sides = append(caught.Sides, shareOf(f.who, n, len(all))),
				append(alarms.Sides, shareOf(f.who, alarm, len(all)))
		}
		s.Figures = append(s.Figures, caught, alarms)
	}
	return nil
}

// count counts the secrets that are not shown, and the texts without one in which something is found.
func (f finder) count(ctx context.Context, dir string, all []planted, texts,
	plain []string) (caught, alarms int, err error) {
	shown, _, err := f.find(ctx, filepath.Join(dir, "with"), texts)
	if err != nil {
		return 0, 0, err
	}
	_, found, err := f.find(ctx, filepath.Join(dir, "without"), plain)
	if err != nil {
		return 0, 0, err
	}
	for i := range all {
		caught += one(!strings.Contains(shown[i], all[i].secret))
		alarms += one(found[i])
	}
	return caught, alarms, nil
}

const redactedMark = "[redacted"

// spokenTexts writes texts as the prompts of one session.
func (p *publisher) spokenTexts(dir string, texts []string) (spoken, error) {
	of := spoken{home: p.alone("", ""), name: "texts"}
	of.home.dir = dir
	for i, text := range texts {
		at := time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC).Add(time.Duration(i) * time.Second)
		of.turns = append(of.turns, turn{ID: fmt.Sprintf("50000000-0000-4000-8000-%012x", i), Session: startSession,
			Text: text, At: at})
	}
	return of, of.records()
}

// redacting is a gitmem program that shows messages of a transcript.
func (p *publisher) redacting(who, program, missing string) finder {
	return finder{who, missing, func(ctx context.Context, dir string, texts []string) (shown []string,
		found []bool, err error) {
		dir += "-" + strings.ReplaceAll(who, " ", "-")
		of, err := p.spokenTexts(dir, texts)
		if err != nil {
			return nil, nil, err
		}
		for i := range texts {
			var message struct{ Text string }
			if _, err := of.home.answer(ctx, &message, program, "show", "--json", "transcript:"+startSession+":"+
				strconv.Itoa(i+1)); err != nil {
				return nil, nil, err
			}
			shown, found = append(shown, message.Text), append(found, strings.Contains(message.Text, redactedMark))
		}
		return shown, found, nil
	}}
}

// shows returns the texts as deja-vu shows them.
func (one *rival) shows(ctx context.Context, dir string, texts []string) (shown []string, found []bool, err error) {
	p := &publisher{setup: &setup{env: os.Environ()}}
	of, err := p.spokenTexts(dir, texts)
	if err != nil {
		return nil, nil, err
	}
	if _, err := of.home.run(ctx, one.program, "index"); err != nil {
		return nil, nil, err
	}
	const most = 200 // number of messages that it shows at once
	for from := 0; from < len(texts); from += most {
		var list struct {
			Session struct{ Messages []struct{ Text string } }
		}
		if _, err := of.home.answer(ctx, &list, one.program, "show", startSession, "--json", "--harness", "claude",
			"--offset", strconv.Itoa(from), "--limit", strconv.Itoa(most)); err != nil {
			return nil, nil, err
		}
		for _, m := range list.Session.Messages {
			shown, found = append(shown, m.Text), append(found, strings.Contains(m.Text, redactedMark))
		}
	}
	if len(shown) != len(texts) {
		return nil, nil, fmt.Errorf("it shows %d of %d messages", len(shown), len(texts))
	}
	return shown, found, nil
}

// leaked runs gitleaks on a file for each text. A secret that it finds counts as removed.
func (p *publisher) leaked(ctx context.Context, program, dir string,
	texts []string) (shown []string, found []bool, err error) {
	files := filepath.Join(dir, "texts")
	if err := os.MkdirAll(files, 0o700); err != nil {
		return nil, nil, err
	}
	for i, text := range texts {
		if err := os.WriteFile(filepath.Join(files, fmt.Sprintf("%06d.txt", i)), []byte(text+"\n"), 0o600); err != nil {
			return nil, nil, err
		}
	}
	h, rep := p.alone("gitleaks", ""), filepath.Join(dir, "report.json")
	if err := h.make(); err != nil {
		return nil, nil, err
	}
	if _, err := h.run(ctx, program, "dir", files, "--no-banner", "--exit-code", "0", "--redact=0", "-f", "json", "-r",
		rep); err != nil {
		return nil, nil, err
	}
	b, err := os.ReadFile(rep)
	if err != nil {
		return nil, nil, err
	}
	var list []struct{ File, Secret string }
	if err := json.Unmarshal(b, &list); err != nil {
		return nil, nil, err
	}
	shown, found = append(shown, texts...), make([]bool, len(texts))
	for _, one := range list {
		i, err := strconv.Atoi(strings.TrimSuffix(filepath.Base(one.File), ".txt"))
		if err != nil || i >= len(texts) {
			return nil, nil, fmt.Errorf("gitleaks names the file %q", one.File)
		}
		shown[i], found[i] = strings.ReplaceAll(shown[i], one.Secret, ""), true
	}
	return shown, found, nil
}
