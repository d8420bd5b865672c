#!/usr/bin/env bash
# OpenCode 1.18.33: session.time_updated does not change when the title changes or the user runs a command.
#
# Run: bash findings/opencode-session-time-updated.sh
# It needs bash, curl, Node and npm, installs the client into a temporary folder, and answers its
# requests from a server on loopback.
#
# A session has one prompt. Then it is renamed, and then the user runs a shell command in it, as with ! in the
# terminal. Both are stored: the title in the row of the session, the command as two messages. The
# time_updated of the session does not change. A reader that uses it as the time of the last change misses
# both until the next prompt. It must check the title, and the last message and its parts.
#
# Output seen on 2026-11-30:
#   new title: stored, time_updated is the same
#   command of the user: 2 messages, time_updated is the same, and the newest part is later
set -euo pipefail

tmp=$(mktemp -d)
trap 'kill "${server:-}" "${model:-}" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$tmp"' EXIT
cd "$tmp"
npm install --silent --no-audit --no-fund --prefix "$tmp" opencode-ai@1.18.33 >/dev/null

cat >model.js <<'JS'
require('http').createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const chunk = (delta, finish_reason = null) =>
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
    response.end(chunk({ role: 'assistant', content: 'Noted.' }) + chunk({}, 'stop') + 'data: [DONE]\n\n')
  })
}).listen(0, '127.0.0.1', function () { require('fs').writeFileSync('port', String(this.address().port)) })
JS
node model.js &
model=$!
until [ -s port ]; do kill -0 "$model" && sleep 0.1; done

mkdir -p home work
cat >work/opencode.json <<JSON
{"model": "stub/m", "small_model": "stub/m", "provider": {"stub": {"npm": "@ai-sdk/openai-compatible",
 "options": {"baseURL": "http://127.0.0.1:$(cat port)/v1", "apiKey": "none"}, "models": {"m": {}}}}}
JSON
opencode() {
	(cd work && env -i PATH="$PATH" HOME="$tmp/home" OPENCODE_DISABLE_MODELS_FETCH=1 OPENCODE_DISABLE_AUTOUPDATE=1 \
		timeout 120 "$tmp/node_modules/.bin/opencode" "$@" </dev/null)
}
ask() { opencode db "$1" --format json | node -pe 'Object.values(JSON.parse(require("fs").readFileSync(0))[0]).join(" ")'; }

opencode run 'Name the pump' >/dev/null 2>&1
session=$(ask 'SELECT id FROM session')
opencode serve --port 0 >serve.log 2>&1 &
server=$!
until url=$(grep -o 'http://127.0.0.1:[0-9]*' serve.log); do kill -0 "$server" && sleep 0.2; done
until curl -sf -m 5 "$url/session/$session" >/dev/null; do kill -0 "$server" && sleep 0.5; done # the first one may hang
send() { curl -sf -m 60 -X "$1" -H 'content-type: application/json' -d "$3" "$url/session/$session$2" >/dev/null; }
# Answers to the prompt may still be written: the title comes from the model.
until before=$(ask 'SELECT time_updated FROM session') && sleep 2 && [ "$before" = "$(ask 'SELECT time_updated FROM session')" ]; do :; done

send PATCH '' '{"title": "Pump, renamed"}'
sleep 1
title=$(ask 'SELECT title, time_updated FROM session')
messages=$(ask 'SELECT count(*) FROM message')
send POST /shell '{"agent": "build", "command": "echo pump"}'
sleep 1
after=$(ask 'SELECT time_updated FROM session')
added=$(($(ask 'SELECT count(*) FROM message') - messages))
newest=$(ask 'SELECT max(time_updated) FROM part')

is() { if [ "$1" = "$before" ]; then echo the same; else echo another; fi; }
got="new title: $(case $title in 'Pump, renamed '*) echo stored ;; esac), time_updated is $(is "${title##* }")
command of the user: $added messages, time_updated is $(is "$after"), and the newest part is $([ "$newest" -gt "$after" ] && echo later)"
printf '%s\n' "$got"
[ "$got" = 'new title: stored, time_updated is the same
command of the user: 2 messages, time_updated is the same, and the newest part is later' ]
