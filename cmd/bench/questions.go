package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// checked counts the questions that are valid according to testdata/questions/schema.json.
type checked struct {
	Open    int `json:"open"`
	Sealed  int `json:"sealed"`
	Meaning int `json:"meaning"`
}

func (c checked) print(out io.Writer) error {
	_, err := fmt.Fprintf(out,
		"%d open and %d sealed judged questions, and %d records with questions: all have their form, and what is sealed is "+
			"unchanged\n", c.Open, c.Sealed, c.Meaning)
	return err
}

func questionsVerb(s *setup) func(context.Context) (report, error) {
	return func(context.Context) (report, error) {
		if s.NArg() != 1 || s.Arg(0) != "check" {
			return nil, fmt.Errorf("%w: bench questions check", errUsage)
		}
		dir, err := questionsDir()
		if err != nil {
			return nil, err
		}
		return checkQuestions(dir)
	}
}

// checkQuestions reads all judged questions strictly, and compares the sealed files with their sums.
func checkQuestions(dir string) (c checked, err error) {
	ids := map[string]string{}
	for _, half := range []string{"open", "sealed"} {
		files, err := filepath.Glob(filepath.Join(dir, half, "*.json"))
		if err != nil {
			return c, err
		}
		for _, name := range files {
			b, err := os.ReadFile(name)
			if err != nil {
				return c, err
			}
			n, err := checkFile(b, filepath.Base(name), ids)
			if err != nil {
				return c, fmt.Errorf("%s: %w", name, err)
			}
			if half == "open" {
				c.Open += n
			} else {
				c.Sealed += n
			}
		}
	}
	if err := checkSums(dir); err != nil {
		return c, err
	}
	c.Meaning, err = checkMeaning(filepath.Join(dir, "..", "..", "meaning", "questions.jsonl"))
	return c, err
}

// form is a judged question in its file format: judged, and the fact that was the basis of the judgement.
type form struct {
	judged
	Fact string `json:"fact"`
}

// checkFile checks one file, which may only have known fields. ids are those of the files before.
func checkFile(b []byte, name string, ids map[string]string) (int, error) {
	var all []form
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&all); err != nil {
		return 0, err
	}
	if _, err := readJudged(bytes.NewReader(b)); err != nil {
		return 0, err
	}
	repo := all[0].Repo
	for _, q := range all {
		if err := q.check(repo); err != nil {
			return 0, fmt.Errorf("%s: %w", q.ID, err)
		}
		if other, ok := ids[q.ID]; ok {
			return 0, fmt.Errorf("%s: %s has a question of this id already", q.ID, other)
		}
		ids[q.ID] = name
	}
	return len(all), nil
}

// check validates a question by schema.json, and by rules that a schema can't express.
func (q form) check(repo string) error {
	idForm, goldForm := regexp.MustCompile(`^[a-z0-9-]+-[0-9]{2,}$`),
		regexp.MustCompile(`^(commit:[0-9a-f]{7,40}|docs:[^~]+~.+|person:.+)$`)
	switch {
	case !idForm.MatchString(q.ID):
		return errors.New("an id is a name, a hyphen and two digits at least: jq-01")
	case q.Repo != repo || strings.Count(repo, "/") != 1:
		return fmt.Errorf("repo %q: a file is about one repository, owner/name", q.Repo)
	case !slices.Contains([]string{"own", "mixed", "para"}, q.Words):
		return fmt.Errorf("words %q: own, mixed or para", q.Words)
	case q.Kind == "" || q.Fact == "":
		return errors.New("kind and fact say what is asked and how it was looked up")
	case len(q.Question) > 300:
		return errors.New("a question has 300 characters at most")
	case (q.Reversed || q.Nameless != "") && !q.None:
		return errors.New("reversed and nameless are of questions about what never happened: none is true")
	case q.Nameless != "" && !strings.Contains(strings.ToLower(q.Question), strings.ToLower(q.Nameless)):
		return fmt.Errorf("nameless %q does not stand in the question", q.Nameless)
	}
	for _, g := range q.Gold {
		if !goldForm.MatchString(g) {
			return fmt.Errorf("gold %q: commit:<7 to 40 hex digits>, docs:<path>~<words> or person:<name>", g)
		}
	}
	return nil
}

// checkSums compares the sealed files with the sums that were published with them.
func checkSums(dir string) error {
	b, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if err != nil {
		return err
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(b)) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if !ok {
			return fmt.Errorf("SHA256SUMS: %q is no sum and name", line)
		}
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		if got := sha256.Sum256(text); hex.EncodeToString(got[:]) != sum {
			return fmt.Errorf("%s: it is sealed, and was changed", name)
		}
		listed[name] = true
	}
	files, err := filepath.Glob(filepath.Join(dir, "sealed", "*.json"))
	for _, name := range files {
		if !listed["sealed/"+filepath.Base(name)] {
			return fmt.Errorf("%s: SHA256SUMS does not list it", name)
		}
	}
	return err
}

// checkMeaning reads the records that the encoder was trained with.
func checkMeaning(name string) (n int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		n++
		var r struct {
			Repo, Commit, Doc, Session, Idea string
			Asked                            []string
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return n, fmt.Errorf("%s: line %d: %w", name, n, err)
		}
		if len(r.Asked) == 0 || slices.Contains(r.Asked, "") || (r.Repo == "" || r.Commit+r.Doc == "") &&
			(r.Session == "" || r.Idea == "") {
			return n, fmt.Errorf("%s: line %d has no question, or names neither a commit, a document nor an idea", name, n)
		}
	}
	return n, lines.Err()
}
