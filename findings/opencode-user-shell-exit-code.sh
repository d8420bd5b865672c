#!/usr/bin/env bash
# OpenCode 1.18.33: nothing in the store shows whether a command that the user ran with ! failed.
#
# Run: bash findings/opencode-user-shell-exit-code.sh
# It needs bash, curl, Node and npm, and installs the client into a temporary folder. No model is called.
#
# A command that the model runs is a part of the type tool with state.metadata.exit, the exit code. A command
# that the user runs is a part of the same type and tool, and its status is completed too. It has no exit
# code: a command that exits with 4 is stored like one that exits with 0. A reader must not treat a missing
# exit code as success.
#
# Output seen on 2026-11-30:
#   exit 0: status completed, metadata output
#   exit 4: status completed, metadata output
set -euo pipefail

tmp=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$tmp"' EXIT
cd "$tmp"
npm install --silent --no-audit --no-fund --prefix "$tmp" opencode-ai@1.18.33 >/dev/null

mkdir -p home work
cat >work/opencode.json <<'JSON'
{"model": "none/m", "provider": {"none": {"npm": "@ai-sdk/openai-compatible",
 "options": {"baseURL": "http://127.0.0.1:9/v1", "apiKey": "none"}, "models": {"m": {}}}}}
JSON
(cd work && exec env -i PATH="$PATH" HOME="$tmp/home" OPENCODE_DISABLE_MODELS_FETCH=1 OPENCODE_DISABLE_AUTOUPDATE=1 \
	"$tmp/node_modules/.bin/opencode" serve --port 0 </dev/null) >serve.log 2>&1 &
server=$!
until url=$(grep -o 'http://127.0.0.1:[0-9]*' serve.log); do kill -0 "$server" && sleep 0.2; done
until curl -sf -m 5 "$url/session" >/dev/null; do kill -0 "$server" && sleep 0.5; done # the first one may hang
api() { curl -sf -m 60 -H 'content-type: application/json' "$url/session$1" "${@:2}"; }

session=$(api '' -d '{}' | node -pe 'JSON.parse(require("fs").readFileSync(0)).id')
for code in 0 4; do
	api "/$session/shell" -d '{"agent": "build", "command": "echo pump; exit '$code'"}' >/dev/null
done
got=$(api "/$session/message" | node -e '
	const messages = JSON.parse(require("fs").readFileSync(0))
	for (const { type, tool, state } of messages.flatMap(m => m.parts)) {
		if (type !== "tool" || tool !== "bash") continue
		const [, code] = state.input.command.match(/exit (\d)/)
		console.log(`exit ${code}: status ${state.status}, metadata ${Object.keys(state.metadata)}`)
	}')
printf '%s\n' "$got"
[ "$got" = 'exit 0: status completed, metadata output
exit 4: status completed, metadata output' ]
