#!/usr/bin/env bash
# Measures whole processes of gitmem beside whole processes of git, by turns:
#
#   bash beside-git.sh [GITMEM [TURNS [FILES...]]]
#
# GITMEM is the built binary (gitmem in PATH), TURNS the number of turns (30), FILES
# the sizes of the stores (100 1000 10000). It needs bash 5 and git, and writes
# only below a new temporary folder: set TMPDIR to choose the disk.
#
# Sides, each on its own copy of one store, with a commit a turn:
#
#   hooks       gitmem hook post-tool-use, then gitmem hook stop: two processes
#   note        gitmem note: one process
#   git         a line appended by the shell, git add, git commit: two processes
#   git-synced  the same with core.fsync=all and core.fsyncMethod=fsync
#
# gitmem syncs all that it commits. Git as it comes syncs no loose object; told to
# sync all it still syncs neither the file nor any folder. All have one identity,
# and no hooks of git, signing or gc.
set -euo pipefail

gitmem=${1:-gitmem} turns=${2:-30}
[ $# -gt 2 ] && sizes=("${@:3}") || sizes=(100 1000 10000)
gitmem=$(command -v "$gitmem") || { echo "usage: beside-git.sh [GITMEM [TURNS [FILES...]]]: no such program" >&2; exit 2; }
gitmem=$(cd "$(dirname "$gitmem")" && pwd)/$(basename "$gitmem")

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export HOME=$tmp/home XDG_CACHE_HOME=$tmp/cache GIT_CONFIG_GLOBAL=$tmp/gitconfig GIT_CONFIG_NOSYSTEM=1 LC_ALL=C TZ=UTC
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE CLAUDE_CONFIG_DIR
mkdir "$HOME"
git config --global user.name bench
git config --global user.email bench@example.com
for setting in gc.auto=0 maintenance.auto=false commit.gpgsign=false core.hooksPath=/dev/null init.defaultBranch=main; do
	git config --global "${setting%%=*}" "${setting#*=}"
done
git init -q "$tmp/work"

# place NUMBER FILES sets the variable dir to the folder of a file below a root.
place() { dir=gitmem/projects/github.com/acme/p$(($1 % 10))/observations/m$(($1 / 10 % (1 + $2 / 200))); }

# make_store ROOT FILES makes a store with so many files, nested as logs are.
make_store() {
	local root=$1 files=$2 i dir
	for ((i = 0; i < files; i++)); do
		place "$i" "$files"
		[ -d "$root/$dir" ] || mkdir -p "$root/$dir"
		echo "file $i" >"$root/$dir/f$i.md"
	done
	(cd "$tmp/work" && GITMEM_HOME=$root "$gitmem" init >/dev/null 2>&1)
	git -C "$root" gc -q
}

# turn SIDE KIND NUMBER makes one change and commits it. KIND is existing or new.
turn() {
	local side=$1 kind=$2 number=$3
	local root=$tmp/$side file session dir
	place 0 1
	file=$dir/f0.md
	case $side in
	hooks)
		session=00000000
		[ "$kind" = existing ] || session=$(printf %08x "$((number + 1))")
		local common="\"session_id\":\"$session-0000-4000-8000-000000000000\",\"cwd\":\"$tmp/work\""
		GITMEM_HOME=$root "$gitmem" hook post-tool-use <<<"{$common,\"hook_event_name\":\"PostToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"go test $number\"},\"tool_response\":{\"stdout\":\"ok\"}}"
		GITMEM_HOME=$root "$gitmem" hook stop <<<"{$common,\"hook_event_name\":\"Stop\"}"
		;;
	note) GITMEM_HOME=$root "$gitmem" note --force "Turn $number of $kind" >/dev/null ;;
	*)
		[ "$kind" = existing ] || file=$dir/new$number.md
		echo 'a line' >>"$root/$file"
		git -C "$root" add "$file"
		git -C "$root" commit -q -m x
		;;
	esac
}

# timed SIDE KIND NUMBER notes the milliseconds of a turn, and that it committed.
timed() {
	local before after start=0 end=0
	before=$(git -C "$tmp/$1" rev-parse HEAD)
	cd "$tmp/work"
	start=${EPOCHREALTIME/./}
	turn "$@"
	end=${EPOCHREALTIME/./}
	after=$(git -C "$tmp/$1" rev-parse HEAD)
	if [ "$before" = "$after" ]; then
		echo "$1: turn $3 committed nothing" >&2
		return 1
	fi
	echo $((end - start)) >>"$tmp/times.$1"
}

median() { sort -n "$1" | awk '{ v[NR] = $1 } END { printf "%.1f", v[int((NR + 1) / 2)] / 1000 }'; }

# sync_cost prints the milliseconds of one write with its sync.
sync_cost() {
	local start=${EPOCHREALTIME/./}
	if dd if=/dev/zero of="$tmp/synced" bs=100 count=200 oflag=dsync 2>/dev/null; then
		awk -v us=$((${EPOCHREALTIME/./} - start)) 'BEGIN { printf "%.2f", us / 200000 }'
	else
		printf 'unknown'
	fi
}

printf '%s, %s, %d turns; one write and sync on this disk: %s ms\n' \
	"$("$gitmem" version | head -1)" "$(git --version)" "$turns" "$(sync_cost)"
printf '%7s %-9s %9s %9s %9s %11s   %s\n' files file hooks note git git-synced 'hooks/git hooks/synced note/git note/synced'
sides=(hooks git note git-synced)
for files in "${sizes[@]}"; do
	make_store "$tmp/hooks" "$files"
	for side in git note git-synced; do
		cp -Rp "$tmp/hooks" "$tmp/$side"
		git -C "$tmp/$side" update-index -q --refresh
	done
	git -C "$tmp/git-synced" config core.fsync all
	git -C "$tmp/git-synced" config core.fsyncMethod fsync
	sleep 1 # what was written in the second of the index is compared by content
	for kind in existing new; do
		for side in "${sides[@]}"; do timed "$side" "$kind" "$turns"; done # makes folders, warms up
		rm -f "$tmp"/times.*
		for ((i = 0; i < turns; i++)); do
			for ((j = 0; j < ${#sides[@]}; j++)); do
				timed "${sides[(i + j) % ${#sides[@]}]}" "$kind" "$i"
			done
		done
		h=$(median "$tmp/times.hooks") n=$(median "$tmp/times.note") g=$(median "$tmp/times.git") s=$(median "$tmp/times.git-synced")
		awk -v f="$files" -v k="$kind" -v h="$h" -v n="$n" -v g="$g" -v s="$s" 'BEGIN {
			printf "%7d %-9s %6.1f ms %6.1f ms %6.1f ms %8.1f ms   %9.2f %12.2f %8.2f %11.2f\n", f, k, h, n, g, s, h/g, h/s, n/g, n/s }'
	done
	rm -rf "${tmp:?}/hooks" "$tmp/git" "$tmp/note" "$tmp/git-synced"
done
