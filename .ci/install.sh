#!/bin/sh
# Installs gitmem @tag@ as ~/.local/bin/gitmem:
#   curl -fsSL https://github.com/gitmem/gitmem/releases/latest/download/install.sh | sh
#
# It installs only an archive whose sum is in a list that the key below has signed. If anything
# fails, nothing stays behind, and a gitmem that is installed stays as it is.
set -eu

fail() {
	printf 'gitmem: error: %s\n' "$1" >&2
	printf 'gitmem: hint: nothing was installed; see https://github.com/gitmem/gitmem#install\n' >&2
	exit 1
}

# get FILE downloads a file of the release.
get() {
	curl -fsSL --proto =https -o "$tmp/$1" "$files/$1" || fail "$files/$1 can't be downloaded"
}

main() {
	tag=@tag@
	key='@key@'
	files=https://github.com/gitmem/gitmem/releases/download/$tag
	case $(uname -s)/$(uname -m) in
	Linux/x86_64) platform=linux_amd64 ;;
	Linux/aarch64 | Linux/arm64) platform=linux_arm64 ;;
	Darwin/x86_64) platform=darwin_amd64 ;;
	Darwin/arm64) platform=darwin_arm64 ;;
	*) fail "there is no release for $(uname -s) on $(uname -m)" ;;
	esac
	for program in curl openssl tar gzip; do
		command -v "$program" >/dev/null || fail "$program is needed and is not installed"
	done
	[ -n "${HOME:-}" ] || fail 'HOME is not set'
	bin=$HOME/.local/bin
	[ ! -d "$bin/gitmem" ] || fail "$bin/gitmem is a folder"
	archive=gitmem_${tag#v}_$platform.tar.gz new=$bin/.gitmem.$$ tmp=''

	trap 'exit 130' HUP INT TERM
	trap 'rm -rf "$tmp" "$new"' EXIT
	tmp=$(mktemp -d)

	get SHA256SUMS
	get SHA256SUMS.sig
	printf '%s\n' "$key" >"$tmp/key"
	openssl dgst -sha256 -verify "$tmp/key" -signature "$tmp/SHA256SUMS.sig" "$tmp/SHA256SUMS" >/dev/null 2>&1 ||
		fail 'SHA256SUMS is not signed by the key of gitmem'
	get "$archive"
	sum=$(openssl dgst -sha256 -r "$tmp/$archive" | cut -d ' ' -f 1)
	grep -Fqx "$sum  $archive" "$tmp/SHA256SUMS" || fail "$archive is not the file that was released"

	tar -xzf "$tmp/$archive" -C "$tmp" gitmem
	mkdir -p "$bin"
	cp "$tmp/gitmem" "$new"
	chmod 755 "$new"
	version=$("$new" version) || fail "$archive does not run here"
	mv -f "$new" "$bin/gitmem"
	printf '%s is installed as %s\n' "$version" "$bin/gitmem"
	case :$PATH: in *:"$bin":*) ;; *) printf 'Put %s on your PATH.\n' "$bin" ;; esac
}

main
