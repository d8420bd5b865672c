#!/usr/bin/env bash
# Codex CLI 0.171.0: a review puts a prompt that nobody typed into the user's own session file.
#
# Run: bash findings/codex-review-prompt.sh
# It needs bash, git, Node and npm, installs the client into a temporary folder, and answers its
# requests from a server on loopback.
#
# A review runs in a separate thread, which has a rollout file with the source {"subagent":"review"}. The task
# that the client writes for the reviewer is a UserMessage in it. It is also, as a UserMessage with the same
# id, in the file of the session that requested the review, where all other records of that type are the
# user's messages. Neither the type nor the id nor anything inside the item shows that it is not the user's.
# Only thread_id next to the item does: it names the reviewer's thread and not that of the file. So a reader
# has to compare thread_id with the id of session_meta; otherwise it attributes "Review the current code
# changes…" to the user, and counts it twice.
#
# Output seen on 2026-11-30:
#   file of the reviewer: UserMessage "Review the current code changes", thread_id is that of the file
#   file of the user: UserMessage "Review the current code changes", thread_id is that of the reviewer
#   same item id: true
set -euo pipefail

tmp=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$tmp"' EXIT
cd "$tmp"
npm install --silent --no-audit --no-fund --prefix "$tmp" @openai/codex@0.171.0 >/dev/null

cat >server.js <<'JS'
let number = 0
require('http').createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    if (request.method !== 'POST') return response.writeHead(404).end()
    const id = ++number
    const content = [{ type: 'output_text', text: 'No findings.', annotations: [] }]
    const item = { type: 'message', id: 'msg_' + id, role: 'assistant', status: 'completed', content }
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
    const reply = { id: 'resp_' + id, object: 'response', usage }
    const send = data => response.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    send({ type: 'response.created', response: { ...reply, status: 'in_progress', output: [] } })
    send({ type: 'response.output_item.done', output_index: 0, item })
    send({ type: 'response.completed', response: { ...reply, status: 'completed', output: [item] } })
    response.end()
  })
}).listen(0, '127.0.0.1', function () { require('fs').writeFileSync('port', String(this.address().port)) })
JS
node server.js &
server=$!
until [ -s port ]; do kill -0 "$server" && sleep 0.1; done

mkdir -p home/.codex work
cat >home/.codex/config.toml <<TOML
model = "gpt-5.5"
model_provider = "local"
[model_providers.local]
name = "local"
base_url = "http://127.0.0.1:$(cat port)/v1"
wire_api = "responses"
TOML
git init --quiet work
echo pump >work/a.txt
(cd work && env -i PATH="$PATH" HOME="$tmp/home" timeout 120 "$tmp/node_modules/.bin/codex" exec review --uncommitted </dev/null >/dev/null 2>&1)

got=$(node -e '
	const fs = require("fs"), dir = "home/.codex/sessions/"
	const files = fs.readdirSync(dir, { recursive: true }).filter(f => f.endsWith(".jsonl"))
	const found = {}
	for (const file of files) {
		const records = fs.readFileSync(dir + file, "utf8").trim().split("\n").map(JSON.parse)
		const meta = records[0].payload
		const prompts = records.map(r => r.payload).filter(p => p.type === "item_completed" && p.item.type === "UserMessage")
		found[meta.source.subagent === "review" ? "reviewer" : "user"] = { meta, prompts }
	}
	for (const who of ["reviewer", "user"]) {
		for (const { item, thread_id } of found[who].prompts) {
			const of = ["reviewer", "user"].find(w => found[w].meta.id === thread_id)
			console.log(`file of the ${who}: UserMessage "${item.content[0].text.slice(0, 31)}", thread_id is that of the ${of === who ? "file" : of}`)
		}
	}
	console.log("same item id: " + (found.user.prompts[0].item.id === found.reviewer.prompts[0].item.id))')
printf '%s\n' "$got"
[ "$got" = 'file of the reviewer: UserMessage "Review the current code changes", thread_id is that of the file
file of the user: UserMessage "Review the current code changes", thread_id is that of the reviewer
same item id: true' ]
