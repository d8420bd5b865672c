#!/usr/bin/env bash
# Claude Code 2.1.332: the branch that --resume-session-at abandons is not a sibling of the new prompt.
#
# Run: bash findings/claude-code-resume-session-at.sh
# It needs bash, Node and npm, installs the client into a temporary folder, and answers its
# requests from a server on loopback.
#
# A session has two prompts. It is then resumed at the answer to the first one, with a third prompt, which
# undoes the second one. The record of the third prompt has that answer as its parentUuid. The record of the
# second prompt does not: there is an attachment between it and the answer. So a reader that looks for prompts
# with the same parentUuid finds no branch, and treats the second prompt as part of the conversation.
# Ancestors must be compared.
#
# Output seen on 2026-11-29:
#   third prompt: its parent is the first answer
#   second prompt: its parent is an attachment, whose parent is the first answer
set -euo pipefail

tmp=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$tmp"' EXIT
cd "$tmp"
npm install --silent --no-audit --no-fund --prefix "$tmp" @anthropic-ai/claude-code@2.1.332 >/dev/null

cat >server.js <<'JS'
const event = data => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
const usage = { input_tokens: 1, output_tokens: 1 }
require('http').createServer((request, response) => {
  let body = ''
  request.on('data', part => { body += part })
  request.on('end', () => {
    if (!request.url.includes('/messages') || request.url.includes('count_tokens')) {
      response.writeHead(404, { 'content-type': 'application/json' })
      return response.end('{"type":"error","error":{"type":"not_found_error","message":"none"}}')
    }
    const { model, stream } = JSON.parse(body)
    const message = { id: 'msg_' + process.hrtime.bigint(), type: 'message', role: 'assistant', model, usage }
    if (!stream) {
      response.writeHead(200, { 'content-type': 'application/json' })
      const content = [{ type: 'text', text: 'Noted.' }]
      return response.end(JSON.stringify({ ...message, content, stop_reason: 'end_turn', stop_sequence: null }))
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end([
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Noted.' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ].map(event).join(''))
  })
}).listen(0, '127.0.0.1', function () { require('fs').writeFileSync('port', String(this.address().port)) })
JS
node server.js &
server=$!
until [ -s port ]; do kill -0 "$server" && sleep 0.1; done

mkdir home work
claude() {
	(cd work && env -i PATH="$PATH" HOME="$tmp/home" ANTHROPIC_API_KEY=none \
		ANTHROPIC_BASE_URL="http://127.0.0.1:$(cat "$tmp/port")" CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 \
		"$tmp/node_modules/.bin/claude" -p --model sonnet "$@" </dev/null)
}
session=8f14e45f-ceea-467a-9575-6f2b3c1d0a11
claude --session-id "$session" 'Name the pump' >/dev/null
file=$(find home/.claude/projects -name "$session.jsonl")
answer=$(node -e '
	const records = require("fs").readFileSync(process.argv[1], "utf8").trim().split("\n").map(JSON.parse)
	console.log(records.filter(r => r.type === "assistant").at(-1).uuid)' "$file")
claude --resume "$session" 'Paint the pump red' >/dev/null
claude --resume "$session" --resume-session-at "$answer" 'Paint the pump blue' >/dev/null

got=$(node -e '
	const [file, answer] = process.argv.slice(1)
	const records = require("fs").readFileSync(file, "utf8").trim().split("\n").map(JSON.parse)
	const byUUID = new Map(records.filter(r => r.uuid).map(r => [r.uuid, r]))
	const prompt = text => records.find(r => r.type === "user" && JSON.stringify(r.message.content).includes(text))
	const name = uuid => uuid === answer ? "the first answer" : "an " + byUUID.get(uuid).type
	const [second, third] = [prompt("red"), prompt("blue")]
	console.log("third prompt: its parent is " + name(third.parentUuid))
	const parent = byUUID.get(second.parentUuid)
	console.log("second prompt: its parent is " + name(second.parentUuid) +
		(parent.uuid === answer ? "" : ", whose parent is " + name(parent.parentUuid)))' "$file" "$answer")
printf '%s\n' "$got"
[ "$got" = 'third prompt: its parent is the first answer
second prompt: its parent is an attachment, whose parent is the first answer' ]
