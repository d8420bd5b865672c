#!/usr/bin/env bash
# Gemini CLI 0.61.0: a resumed session of an older client is stored in four files in two folders.
#
# Run: bash findings/gemini-session-in-several-files.sh
# It needs bash, Node and npm, installs the client into a temporary folder, and answers its
# requests from a server on loopback.
#
# Clients before 0.29 stored a session as one JSON document in a folder named by the SHA-256 of the working
# directory. The newer client copies that folder to one with a readable name and keeps the old one. A resume
# writes the messages of the document again, as lines of a .jsonl file next to the copy, and continues there.
# It creates another .jsonl file, named by the time of the resume, which only contains context. All four have
# the same sessionId, and three of them contain the first prompt. Only the ids of the messages show that it is
# the same prompt.
#
# Output seen on 2026-11-30, with H for the hash and T for the time of the resume:
#   H/chats/session-2026-11-20T10-00-0b8e6f3a.json     prompts: Name the pump
#   work/chats/session-2026-11-20T10-00-0b8e6f3a.json  prompts: Name the pump
#   work/chats/session-2026-11-20T10-00-0b8e6f3a.jsonl prompts: Name the pump, Paint the pump
#   work/chats/session-T-0b8e6f3a.jsonl                prompts:
set -euo pipefail

tmp=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$tmp"' EXIT
cd "$tmp"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" @google/gemini-cli@0.61.0 >/dev/null

cat >server.js <<'JS'
const reply = { candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts: [{ text: 'Noted.' }] } }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } }
require('http').createServer((request, response) => {
  request.resume().on('end', () => {
    const stream = request.url.includes('streamGenerateContent')
    response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' })
    response.end(stream ? `data: ${JSON.stringify(reply)}\n\n` : JSON.stringify({ ...reply, totalTokens: 1 }))
  })
}).listen(0, '127.0.0.1', function () { require('fs').writeFileSync('port', String(this.address().port)) })
JS
node server.js &
server=$!
until [ -s port ]; do kill -0 "$server" && sleep 0.1; done

mkdir -p home/.gemini work
work=$(cd work && pwd -P)
hash=$(printf %s "$work" | node -e '
	console.log(require("crypto").createHash("sha256").update(require("fs").readFileSync(0)).digest("hex"))')
session=0b8e6f3a-5a0c-4c0e-9d2e-3f1f6d0c7a11
mkdir -p "home/.gemini/tmp/$hash/chats"
now=$(date -u +%Y-%m-%dT%H:%M:%S.000Z)
cat >"home/.gemini/tmp/$hash/chats/session-2026-11-20T10-00-0b8e6f3a.json" <<JSON
{
  "sessionId": "$session",
  "projectHash": "$hash",
  "startTime": "2026-11-20T10:00:00.000Z",
  "lastUpdated": "$now",
  "messages": [
    {"id": "m1", "timestamp": "2026-11-20T10:00:00.000Z", "type": "user", "content": [{"text": "Name the pump"}]},
    {"id": "m2", "timestamp": "2026-11-20T10:00:02.000Z", "type": "gemini", "content": "It is called Ada.", "model": "m"}
  ]
}
JSON
echo '{"security": {"auth": {"selectedType": "gemini-api-key"}}}' >home/.gemini/settings.json
(cd work && env -i PATH="$PATH" HOME="$tmp/home" GEMINI_API_KEY=none GOOGLE_GEMINI_BASE_URL="http://127.0.0.1:$(cat "$tmp/port")" \
	timeout 120 "$tmp/node_modules/.bin/gemini" --skip-trust -r "$session" -p 'Paint the pump' </dev/null >/dev/null 2>&1)

got=$(cd home/.gemini/tmp && find . -path '*/chats/*' -type f | LC_ALL=C sort | node -e '
	const fs = require("fs")
	for (const file of fs.readFileSync(0, "utf8").trim().split("\n")) {
		const text = fs.readFileSync(file, "utf8")
		const messages = file.endsWith(".json") ? JSON.parse(text).messages : text.trim().split("\n").map(JSON.parse)
		const prompts = messages.filter(m => m.type === "user" && m.content[0].text).map(m => m.content[0].text)
		const name = file.slice(2).replace(/^[0-9a-f]{64}/, "H").replace(/session-(?!2026-11-20)[0-9T-]{16}/, "session-T")
		console.log(name.padEnd(50) + " prompts: " + prompts.join(", "))
	}' | sed 's/ *$//')
printf '%s\n' "$got"
[ "$got" = 'H/chats/session-2026-11-20T10-00-0b8e6f3a.json     prompts: Name the pump
work/chats/session-2026-11-20T10-00-0b8e6f3a.json  prompts: Name the pump
work/chats/session-2026-11-20T10-00-0b8e6f3a.jsonl prompts: Name the pump, Paint the pump
work/chats/session-T-0b8e6f3a.jsonl                prompts:' ]
