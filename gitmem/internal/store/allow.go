package store

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// Allowed reports whether gitmem may write and track a path relative to the root: Markdown in gitmem/ and in
// projects/<name>/memory/, gitmem/config.yaml, and .gitignore at the root, but no cache, repository, hidden, lock,
// temporary or credential file. An allow-list of Markdown is short, whereas a list of credential file names is never
// complete. Allowed is pure, takes slash paths, and refuses every name that another operating system could read as a
// refused one (".GIT", "git~1", "CON", "a.").
func Allowed(rel string) bool {
	if rel == ignoreFile {
		return true
	}
	segs := strings.Split(rel, "/")
	for _, seg := range segs {
		if !safeSegment(seg) {
			return false
		}
	}
	switch segs[0] {
	case ourDir:
		return len(segs) >= 2 && (isMarkdown(rel) || rel == configFile) && (len(segs) == 2 || !isSettings(segs[1]))
	case clientDir:
		return len(segs) >= 4 && segs[2] == "memory" && isMarkdown(rel)
	}
	return false
}

// allowedIn is Allowed with a cache of the result for the last folder, for files listed folder by folder.
type allowedIn struct {
	dir string // with a trailing slash
	ok  bool
}

func (a *allowedIn) allowed(rel string) bool {
	i := strings.LastIndexByte(rel, '/') + 1
	if i == 0 {
		return Allowed(rel)
	}
	if a.dir != rel[:i] {
		a.dir, a.ok = rel[:i], Allowed(rel[:i]+"x.md")
	}
	return a.ok && safeSegment(rel[i:]) && (isMarkdown(rel) || rel == configFile)
}

// isSettings reports whether a name in gitmem/ is that of a settings file. No folder may have such a name.
func isSettings(name string) bool {
	return strings.EqualFold(name, path.Base(configFile)) || strings.EqualFold(name, path.Base(localFile))
}

func isMarkdown(rel string) bool { return strings.HasSuffix(rel, ".md") }

// maxSegment is the longest file name that common file systems accept, in bytes.
const maxSegment = 255

// safeSegment reports whether a name is safe as one segment of a path on every operating system and is not a hidden,
// lock, temporary or secret file.
func safeSegment(seg string) bool {
	if seg == "" || len(seg) > maxSegment || !utf8.ValidString(seg) {
		return false
	}
	if seg[0] == '.' || strings.HasSuffix(seg, ".") || strings.HasSuffix(seg, " ") {
		return false // hidden, "..", or trimmed by Windows
	}
	for _, r := range seg {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`\:*?"<>|`, r) || ignorable(r) {
			return false
		}
	}
	low := strings.ToLower(seg)
	return !reservedName(low) && !shortName(low) && !transientName(low) && !secretName(low)
}

// ignorable lists the code points that HFS+ drops when it compares names, so
// that ".g\u200cit" is ".git" there. The list is git's, in utf8.c.
func ignorable(r rune) bool {
	return r >= 0x200c && r <= 0x200f || r >= 0x202a && r <= 0x202e ||
		r >= 0x206a && r <= 0x206f || r == 0xfeff
}

// reservedName reports whether Windows opens a device under this lower-case name, with any extension.
func reservedName(low string) bool {
	stem, _, _ := strings.Cut(low, ".")
	stem = strings.TrimRight(stem, " ")
	switch stem {
	case "con", "prn", "aux", "nul", "conin$", "conout$", "clock$":
		return true
	}
	digit, ok := strings.CutPrefix(stem, "com")
	if !ok {
		digit, ok = strings.CutPrefix(stem, "lpt")
	}
	switch digit {
	case "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³":
		return ok
	}
	return false
}

// shortName reports whether a lower-case name could be the 8.3 short name that NTFS gives one of our hidden files:
// git~1 for .git, index~1 for .index, gi7eba~1 for a further file of that kind. Any name of that form is refused.
func shortName(low string) bool {
	base, _, _ := strings.Cut(low, ".")
	stem, digits, ok := strings.Cut(base, "~")
	return ok && len(stem) <= 6 && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// transientName reports whether a lower-case name is a lock or a temporary file
// of git, gitmem or an editor.
func transientName(low string) bool {
	if strings.HasSuffix(low, "~") || low[0] == '#' && strings.HasSuffix(low, "#") {
		return true
	}
	return slices.Contains(transientSuffixes(), path.Ext(low))
}

func transientSuffixes() []string {
	return []string{".lock", ".tmp", ".temp", ".part", ".swp", ".swo", ".swx"}
}

// secretName reports whether programs keep credentials under a lower-case name. Such a file is never tracked in any
// folder. A Markdown file about credentials is tracked.
func secretName(low string) bool {
	switch low {
	case "credentials", "credentials.json", "credentials.yaml", "credentials.yml", "credentials.toml", "credentials.db",
		"settings.json", "settings.local.json", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "_netrc":
		return true
	}
	return slices.Contains(secretSuffixes(), path.Ext(low))
}

func secretSuffixes() []string {
	return []string{".env", ".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx"}
}
