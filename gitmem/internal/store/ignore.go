package store

import "strings"

// ignoreRules returns the allow-list as a .gitignore: it ignores everything at the root except what Allowed accepts.
// withSelf includes .gitignore itself.
func ignoreRules(withSelf bool) string {
	var b strings.Builder
	line := func(lines ...string) {
		for _, l := range lines {
			b.WriteString(l + "\n")
		}
	}
	line("# Only the files of memory are tracked here: everything else in this folder",
		"# stays out of git. Written by gitmem; edits are kept.", "/*")
	if withSelf {
		line("!/.gitignore")
	}
	line("!/gitmem/", "!/projects/",
		"/gitmem/**", "!/gitmem/**/", "!/gitmem/**/*.md", "!/"+configFile,
		"/projects/*", "!/projects/*/",
		"/projects/*/*", "!/projects/*/memory/",
		"/projects/*/memory/**", "!/projects/*/memory/**/", "!/projects/*/memory/**/*.md",
		"# Caches, locks, temporary and hidden files, credentials.",
		"/gitmem/**/.*", "/projects/*/memory/**/.*", "*~", `\#*#`)
	for _, suffix := range append(transientSuffixes(), secretSuffixes()...) {
		line("*" + suffix)
	}
	line("credentials", "credentials.json", "credentials.y*ml", "credentials.toml", "credentials.db",
		"settings.json", "settings.local.json", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "_netrc")
	return b.String()
}

// sparsePatterns returns the allow-list as git's sparse checkout patterns, which list what git may write. withSelf
// includes .gitignore.
func sparsePatterns(withSelf bool) string {
	list := "# Git writes only the files of memory here. Written by gitmem.\n/" + configFile + "\n"
	if withSelf {
		list += "/.gitignore\n!/.gitignore/**\n"
	}
	for _, dir := range [...]string{"/gitmem/", "/projects/*/memory/"} {
		list += "!" + dir + "**/*.md/**\n" + dir + "**/*.md\n!" + dir + "**/.*\n!" + dir + "**/.*/**\n"
	}
	return list + "!/projects/.*/**\n!/" + configFile + "/**\n!/" + localFile + "/**\n"
}

// ignorePattern returns the pattern that matches exactly the folder at a slash
// path, as a line of an exclude file.
func ignorePattern(dir string) string {
	var b strings.Builder
	b.WriteByte('/')
	for _, r := range dir {
		if strings.ContainsRune(`\*?[`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String() + "/"
}
