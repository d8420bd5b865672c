#!/usr/bin/env bash
# Gemini CLI 0.61.0: a hook's message to the model is stored with the user's former prompt as its displayed
# text.
#
# Run: bash findings/gemini-hook-reason-display.sh
# It needs bash, Node and npm, installs the client into a temporary folder, and answers its
# requests from a server on loopback.
#
# A message of the user may have a displayContent next to its content: the typed text, if the client sent
# more, such as the files that a prompt names. A reader therefore uses displayContent as the user's text. An
# AfterAgent hook may block the end of a turn; its reason is sent to the model as another message of the user.
# The client stores it with the displayContent of the prompt of that turn. So a reader shows the prompt twice,
# and never the reason.
#
# Output seen on 2026-11-30:
#   "Name the pump in @notes.txt" and more, displayed as "Name the pump in @notes.txt"
#   "Run the tests first", displayed as "Name the pump in @notes.txt"
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
echo water >work/notes.txt
cat >hook.sh <<'SH'
#!/usr/bin/env bash
cat >/dev/null
if mkdir "$(dirname "$0")/blocked" 2>/dev/null; then echo '{"decision":"block","reason":"Run the tests first"}'; fi
SH
chmod +x hook.sh
cat >home/.gemini/settings.json <<JSON
{"security": {"auth": {"selectedType": "gemini-api-key"}},
 "hooks": {"AfterAgent": [{"hooks": [{"type": "command", "command": "$tmp/hook.sh"}]}]}}
JSON
(cd work && env -i PATH="$PATH" HOME="$tmp/home" GEMINI_API_KEY=none GOOGLE_GEMINI_BASE_URL="http://127.0.0.1:$(cat "$tmp/port")" \
	timeout 120 "$tmp/node_modules/.bin/gemini" --skip-trust -p 'Name the pump in @notes.txt' </dev/null >/dev/null 2>&1)

got=$(node -e '
	const text = parts => parts.map(part => part.text)
	for (const line of require("fs").readFileSync(process.argv[1], "utf8").trim().split("\n").map(JSON.parse)) {
		if (line.type !== "user") continue
		const [first, ...more] = text(line.content)
		const displayed = line.displayContent ? ", displayed as " + JSON.stringify(text(line.displayContent).join("")) : ""
		console.log(JSON.stringify(first) + (more.length ? " and more" : "") + displayed)
	}' home/.gemini/tmp/work/chats/session-*.jsonl)
printf '%s\n' "$got"
[ "$got" = '"Name the pump in @notes.txt" and more, displayed as "Name the pump in @notes.txt"
"Run the tests first", displayed as "Name the pump in @notes.txt"' ]
