package git

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gitmem/gitmem/providers"
)

// Signature is the author or committer and the time, after the .mailmap. Name and Email are valid UTF-8 and
// may be empty in damaged commits.
type Signature struct {
	Name, Email string
	When        time.Time
}

// Change is one file that a commit changed.
type Change struct {
	// Path is slash-separated and relative to the root of the repository. It contains the bytes that git stores,
	// which need not be UTF-8.
	Path string
	// Op is 'A' for added, 'M' for modified (content, mode or type) and 'D' for deleted. Renames are not
	// detected.
	Op byte
}

// Commit is one commit.
type Commit struct {
	// Hash, Tree and Parents are 40 hex digits each. A commit at the end of a
	// shallow clone has no parents.
	Hash, Tree string
	Parents    []string
	Author     Signature
	Committer  Signature
	// Subject is the first paragraph as one line; Body is the rest without
	// blank lines around it. Both are valid UTF-8, whatever the commit's own
	// encoding was.
	Subject, Body string
	// CoAuthors are the co-authors that the message names, after the .mailmap, without the author and without
	// duplicates.
	CoAuthors []providers.Person
	// Reviewers are the reviewers that the message names, after the .mailmap, without the author and without
	// duplicates.
	Reviewers []providers.Person
	// Changes are the files changed against the only parent, in tree order; all
	// files for a commit without parents; none for a merge.
	Changes []Change
	// ChangesMissing is set if a tree could not be read, so that Changes is empty. [Repository.Skipped] has the
	// reason.
	ChangesMissing bool
	// DiffTerms describes the changes, if it was requested; nil for a merge and if content could not be read.
	DiffTerms *DiffTerms
}

// maxCommit limits the bytes read of one commit or tag.
const maxCommit = 8 << 20

// rawCommit is a parsed commit. Its strings point into one copy of the commit's bytes, in the commit's own
// encoding.
type rawCommit struct {
	tree              plumbing.Hash
	parents           []plumbing.Hash
	author, committer rawSignature
	encoding          string
	message           string
}

type rawSignature struct {
	name, email string
	seconds     int64
	zone        int // seconds east of UTC
}

// parseCommit parses a commit object: header lines, an empty line, the message. A header may continue on
// lines that begin with a space (gpgsign, mergetag); unknown headers are ignored. Only the tree is required.
func parseCommit(b []byte) (*rawCommit, error) {
	text := string(b)
	c := &rawCommit{}
	hasTree := false
	for text != "" && text[0] != '\n' {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "tree", "parent":
			id, err := parseID(value)
			if err != nil {
				return nil, fmt.Errorf("%s of a commit: %w", key, err)
			}
			if key == "parent" {
				c.parents = append(c.parents, id)
			} else if !hasTree {
				c.tree, hasTree = id, true
			}
		case "author":
			c.author = parseSignature(value)
		case "committer":
			c.committer = parseSignature(value)
		case "encoding":
			c.encoding = value
		}
	}
	if !hasTree {
		return nil, fmt.Errorf("a commit without a tree: %w", errCorrupt)
	}
	c.message = strings.TrimPrefix(text, "\n")
	return c, nil
}

// parseID parses the 40 digits of an id, or 64 of which it uses the first 40.
func parseID(s string) (plumbing.Hash, error) {
	var id plumbing.Hash
	if len(s) != 2*idSHA1 && (len(s) != 2*idSHA256 || !isHex(s)) {
		return id, fmt.Errorf("an id of %d characters: %w", len(s), errCorrupt)
	}
	if _, err := hex.Decode(id[:], []byte(s[:2*idSHA1])); err != nil {
		return id, fmt.Errorf("an id that is not hex: %w", errCorrupt)
	}
	return id, nil
}

// parseSignature parses "Name <email> seconds zone". Each part may be missing.
func parseSignature(s string) rawSignature {
	name, rest, _ := strings.Cut(s, "<")
	email, _, closed := strings.Cut(rest, ">")
	sig := rawSignature{name: strings.TrimSpace(name), email: strings.TrimSpace(email)}
	if !closed {
		return sig
	}
	// Some tools wrote an email with brackets in it; the date follows the last bracket.
	seconds, zone, _ := strings.Cut(strings.TrimSpace(rest[strings.LastIndexByte(rest, '>')+1:]), " ")
	sig.seconds = parseSeconds(seconds)
	sig.zone = parseZone(strings.TrimSpace(zone))
	return sig
}

// maxSeconds is the last second of the year 9999: later times can't be written
// as RFC 3339.
const maxSeconds = 253402300799

// parseSeconds parses a Unix time; an invalid one becomes 0, as in git.
func parseSeconds(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || n > maxSeconds {
		return 0
	}
	return n
}

// parseZone parses "+hhmm"; an invalid zone, or one of a day or more, becomes UTC.
func parseZone(s string) int {
	if len(s) < 2 || s[0] != '+' && s[0] != '-' {
		return 0
	}
	n, err := strconv.ParseUint(s[1:], 10, 16)
	if err != nil || n/100 > 23 || n%100 > 59 {
		return 0
	}
	seconds := int(n/100*3600 + n%100*60)
	if s[0] == '-' {
		return -seconds
	}
	return seconds
}

// splitMessage splits a message like git's %s and %b: the subject is the first paragraph with its lines
// joined, the body is the rest.
func splitMessage(m string) (subject, body string) {
	m = trimBlankLines(m)
	var lines []string
	for m != "" {
		line, rest, _ := strings.Cut(m, "\n")
		line = strings.TrimSpace(line)
		if line == "" {
			break
		}
		lines = append(lines, line)
		m = rest
	}
	return strings.Join(lines, " "), strings.TrimRight(trimBlankLines(m), " \t\r\n")
}

// trimBlankLines removes leading lines that only contain space.
func trimBlankLines(s string) string {
	for {
		line, rest, found := strings.Cut(s, "\n")
		if strings.TrimSpace(line) != "" {
			return s
		}
		if !found {
			return ""
		}
		s = rest
	}
}

// readCommit reads and parses one commit. If a commit is too large, the end of its message is missing, which
// is reported: its parents are needed for the rest of the history.
func (r *Repository) readCommit(id plumbing.Hash) (*rawCommit, error) {
	typ, b, err := r.objects.get(id, maxBase)
	if err != nil {
		return nil, err
	}
	if typ != plumbing.CommitObject {
		return nil, fmt.Errorf("object %s is a %s, not a commit: %w", id, typ, errCorrupt)
	}
	if len(b) > maxCommit {
		r.skip(id.String(), "the commit is larger than 8 MiB, and the end of its message is not read")
		b = b[:maxCommit]
	}
	c, err := parseCommit(b)
	if err != nil {
		return nil, fmt.Errorf("commit %s: %w", id, err)
	}
	if r.shallow[id] {
		c.parents = nil
	}
	return c, nil
}

// present converts a commit to its public form, without changes.
func (r *Repository) present(id plumbing.Hash, raw *rawCommit, mm *Mailmap) Commit {
	c := Commit{Hash: id.String(), Tree: raw.tree.String()}
	for _, p := range raw.parents {
		c.Parents = append(c.Parents, p.String())
	}
	c.Subject, c.Body = splitMessage(decodeText(raw.message, raw.encoding))
	c.Author = signature(raw.author, raw.encoding, mm)
	c.Committer = signature(raw.committer, raw.encoding, mm)
	c.CoAuthors = coAuthors(c.Body, c.Author, mm)
	c.Reviewers = reviewers(c.Body, c.Author, mm)
	return c
}

func signature(raw rawSignature, encoding string, mm *Mailmap) Signature {
	name, email := mm.Resolve(decodeText(raw.name, encoding), decodeText(raw.email, encoding))
	return Signature{Name: name, Email: email, When: time.Unix(raw.seconds, 0).In(zone(raw.zone))}
}

func zone(seconds int) *time.Location {
	if seconds == 0 {
		return time.UTC
	}
	return time.FixedZone("", seconds)
}
