package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gitmem/gitmem/internal/glob"
)

// Rule is one entry of exclude: a pattern of folders or of remotes.
type Rule struct {
	Text   string // as written
	Remote bool   // for remotes, not for folders

	root     string   // of a folder rule: "/", "~", "**", a drive such as "C:", or "//" for a network share
	segments []string // patterns after root
}

func ruleError(text, problem string) error { return fmt.Errorf("%q %s", text, problem) }

// parseRule parses a rule. It rejects a rule that is not clearly a folder or a remote, since a rule that never matches
// would exclude nothing.
func parseRule(text string) (Rule, error) {
	r := Rule{Text: text}
	clean := strings.TrimSpace(text)
	if clean == "" || strings.ContainsFunc(clean, func(c rune) bool { return c < ' ' || c == 0x7f }) {
		return r, ruleError(text, "is empty or holds control characters: write a folder or a remote")
	}
	var err error
	if root, rest, ok := folderRoot(clean); ok {
		r.root = root
		r.segments, err = segments(text, rest)
		return r, err
	}
	r.Remote = true
	rest, err := remoteForm(text, clean)
	if err != nil {
		return r, err
	}
	r.segments, err = segments(text, strings.ToLower(rest))
	return r, err
}

// folderRoot splits the root from a folder rule.
func folderRoot(s string) (root, rest string, ok bool) {
	if isDrive(s) || strings.HasPrefix(s, `\\`) || strings.HasPrefix(s, `~\`) {
		s = strings.ReplaceAll(s, `\`, "/")
	}
	switch {
	case s == "~" || strings.HasPrefix(s, "~/"):
		return "~", s[1:], true
	case s == "**" || strings.HasPrefix(s, "**/"):
		return "**", s[2:], true
	case strings.HasPrefix(s, "//"):
		return "//", s[2:], true
	case strings.HasPrefix(s, "/"):
		return "/", s[1:], true
	case isDrive(s):
		return s[:2], s[3:], true
	}
	return "", "", false
}

// isDrive reports whether a path begins with a drive letter, as C:/ or C:\.
func isDrive(s string) bool {
	return len(s) >= 3 && (s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z') && s[1] == ':' && (s[2] == '/' || s[2] == '\\')
}

// remoteForm normalises git's forms of a remote's address to host/owner/repository.
func remoteForm(text, s string) (string, error) {
	if scheme, rest, ok := strings.Cut(s, "://"); ok {
		if scheme == "file" {
			return "", ruleError(text, "names a folder: write it without file://")
		}
		authority, p, _ := strings.Cut(rest, "/")
		user, host := cutUser(authority)
		if strings.Contains(user, ":") {
			return "", errors.New("a remote holds a password: write host/owner/repository, and renew the password")
		}
		host, _, _ = strings.Cut(host, ":")
		return withPath(text, host, p)
	}
	if host, p, ok := strings.Cut(s, ":"); ok && !strings.Contains(host, "/") {
		_, host = cutUser(host)
		return withPath(text, host, p)
	}
	host, p, _ := strings.Cut(s, "/")
	if !strings.Contains(host, ".") || strings.Trim(host, ".") == "" {
		return "", ruleError(text,
			"could be a folder or a remote: begin a folder with /, ~/ or **/, and a remote with its host, as in "+
				"github.com/acme/*; "+
				"a host without a dot as in ssh://host/acme/*")
	}
	return withPath(text, host, p)
}

func cutUser(authority string) (user, host string) {
	i := strings.LastIndexByte(authority, '@')
	return authority[:max(i, 0)], authority[i+1:]
}

func withPath(text, host, p string) (string, error) {
	p = strings.TrimSuffix(strings.Trim(p, "/"), ".git")
	if host == "" || strings.Trim(p, "/") == "" {
		return "", ruleError(text, "has no path behind the host: write host/** for everything there")
	}
	return host + "/" + p, nil
}

// segments splits a pattern at its slashes and validates each segment.
func segments(text, s string) ([]string, error) {
	var out []string
	for seg := range strings.SplitSeq(s, "/") {
		switch seg {
		case "", ".":
			continue
		case "..":
			return nil, ruleError(text, "holds ..: write the folder itself")
		}
		if !glob.Valid(seg) {
			return nil, ruleError(text, fmt.Sprintf("can't be matched: close the bracket in %q, or write \\[ for it", seg))
		}
		if seg == "**" && len(out) > 0 && out[len(out)-1] == "**" {
			continue
		}
		out = append(out, seg)
	}
	return out, nil
}
