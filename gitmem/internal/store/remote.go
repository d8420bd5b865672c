package store

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// NormaliseRemote returns the name of a remote repository in the form host/owner/repo, the same for all forms of its
// address: scp-like, ssh, git and http(s) URLs, with user, token, port, ".git" or trailing slashes. The host is in
// lower case, nested groups are kept. ok is false for local paths, file URLs and invalid addresses.
func NormaliseRemote(address string) (id string, ok bool) {
	address = strings.TrimSpace(address)
	if !utf8.ValidString(address) || strings.ContainsFunc(address, isControl) {
		return "", false
	}
	host, path, ok := splitRemote(address)
	if !ok || strings.Contains(path, `\`) {
		return "", false
	}
	path = decodePath(path)
	if host = normaliseHost(host); host == "" {
		return "", false
	}
	id = host
	segs := strings.Split(trimRepo(path), "/")
	for _, seg := range segs {
		if seg == "" || seg == "." {
			continue
		}
		if seg == ".." || strings.TrimSpace(seg) != seg {
			return "", false
		}
		id += "/" + seg
	}
	if id == host {
		return "", false
	}
	return id, true
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// trimRepo removes trailing slashes and ".git" from a path.
func trimRepo(path string) string {
	for {
		cut := strings.TrimSuffix(strings.TrimRight(path, "/"), ".git")
		if cut == path {
			return path
		}
		path = cut
	}
}

// splitRemote splits an address into authority without user, and path.
func splitRemote(address string) (host, path string, ok bool) {
	scheme, rest, isURL := strings.Cut(address, "://")
	if !isURL {
		return splitSCP(address)
	}
	if !slices.Contains([]string{"http", "https", "ssh", "git", "git+ssh", "ssh+git", "git+https", "git+http", "ftp",
		"ftps"}, strings.ToLower(scheme)) {
		return "", "", false
	}
	host, path, _ = strings.Cut(rest, "/")
	return host[strings.LastIndexByte(host, '@')+1:], path, true
}

// decodePath undoes percent-encoding, unless the result would need a second decoding or contains invalid characters.
func decodePath(path string) string {
	plain, err := url.PathUnescape(path)
	if err != nil || strings.ContainsAny(plain, "%\\") || !utf8.ValidString(plain) ||
		strings.ContainsFunc(plain, isControl) {
		return path
	}
	return plain
}

// splitSCP parses user@host:path. As in git, a slash before the colon makes it a path; a single letter is a Windows
// drive; "x::y" names a remote helper.
func splitSCP(address string) (host, path string, ok bool) {
	from := strings.IndexByte(address, ']') + 1 // after an IPv6 host
	colon := strings.IndexByte(address[from:], ':')
	if colon < 0 {
		return "", "", false
	}
	host, path = address[:from+colon], address[from+colon+1:]
	if strings.ContainsAny(host, `/\`) || len(host) == 1 || strings.HasPrefix(path, ":") {
		return "", "", false
	}
	return host[strings.LastIndexByte(host, '@')+1:], path, true
}

// normaliseHost strips the port and returns "" for an invalid host name.
func normaliseHost(host string) string {
	host = strings.ToLower(host)
	if strings.HasPrefix(host, "[") {
		addr, _, ok := strings.Cut(host[1:], "]")
		if !ok || addr == "" || strings.Trim(addr, "0123456789abcdef:.") != "" {
			return ""
		}
		return "[" + addr + "]"
	}
	host, _, _ = strings.Cut(host, ":")
	host = strings.TrimRight(host, ".")
	if strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" || strings.HasPrefix(host, ".") ||
		strings.HasPrefix(host, "-") {
		return ""
	}
	// The hosts under which these forges offer ssh on the https port.
	web := map[string]string{"ssh.github.com": "github.com", "altssh.gitlab.com": "gitlab.com",
		"altssh.bitbucket.org": "bitbucket.org"}
	return cmp.Or(web[host], host)
}

// remoteKey returns a key that is equal for two names of one repository: some forges ignore case.
func remoteKey(id string) string {
	host, _, _ := strings.Cut(id, "/")
	switch host {
	case "github.com", "gitlab.com", "bitbucket.org", "codeberg.org":
		return strings.ToLower(id)
	}
	return id
}
