#!/usr/bin/env bash
# Codex CLI 0.171.0: after migrate-rollouts a subagent's own work is below subagent_history_start_ordinal.
#
# Run: bash findings/codex-migrate-subagent.sh
# It needs bash, git, Node and npm, installs two versions of the client into a temporary folder, and
# answers their requests from a server on loopback.
#
# The file of a subagent that gets the history of its parent begins with a copy of it. The
# subagent_history_start_ordinal in its first record is where its own history begins. Version 0.130.0 wrote no
# ordinals. When `codex migrate-rollouts --apply` rewrites a file of that version, it gives each line an
# ordinal and sets subagent_history_start_ordinal to the one after the last line, even for a subagent that
# inherited nothing. So a reader that uses this field to skip the inherited part loses the whole work of such
# a subagent. The ids of turns suffice without the field: a turn of the subagent has an id (UUID version 7, in
# chronological order) after the id of the subagent's thread.
#
# Output seen on 2026-11-30:
#   subagent inherited nothing: its first turn is behind its thread
#   lines: 0 to N
#   task "Count the pumps" is below N+1
#   subagent_history_start_ordinal: N+1
set -euo pipefail

tmp=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$tmp"' EXIT
cd "$tmp"
npm install --silent --no-audit --no-fund --prefix "$tmp/old" @openai/codex@0.130.0 >/dev/null
npm install --silent --no-audit --no-fund --prefix "$tmp/new" @openai/codex@0.171.0 >/dev/null

cat >server.js <<'JS'
// The model starts a subagent, waits for it, and ends. The subagent says that there are two pumps.
let number = 0
const call = (name, input) => ({ type: 'function_call', call_id: 'call_' + number, name, arguments: JSON.stringify(input) })
const say = text => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] })
function reply (input) {
  const last = input.filter(i => i.role === 'user').at(-1)
  if (JSON.stringify(last).includes('Count the pumps')) return say('Two pumps.')
  const outputs = input.filter(i => i.type === 'function_call_output')
  if (outputs.length === 0) return call('spawn_agent', { message: 'Count the pumps' })
  if (outputs.length === 1) return call('wait_agent', { targets: [JSON.parse(outputs[0].output).agent_id], timeout_ms: 20000 })
  return say('Done.')
}
require('http').createServer((request, response) => {
  let body = ''
  request.on('data', part => { body += part })
  request.on('end', () => {
    if (request.method !== 'POST') return response.writeHead(404).end()
    const id = ++number
    const item = { id: 'item_' + id, status: 'completed', ...reply(JSON.parse(body).input) }
    const whole = { id: 'resp_' + id, object: 'response', usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } }
    const send = data => response.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    send({ type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } })
    send({ type: 'response.output_item.done', output_index: 0, item })
    send({ type: 'response.completed', response: { ...whole, status: 'completed', output: [item] } })
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
codex() { (cd work && env -i PATH="$PATH" HOME="$tmp/home" timeout 120 "$tmp/$1/node_modules/.bin/codex" "${@:2}" </dev/null >/dev/null 2>&1); }
codex old exec 'Look at the pumps'
codex new migrate-rollouts --apply

got=$(node -e '
	const fs = require("fs"), dir = "home/.codex/sessions/"
	for (const file of fs.readdirSync(dir, { recursive: true }).filter(f => f.endsWith(".jsonl"))) {
		const records = fs.readFileSync(dir + file, "utf8").trim().split("\n").map(JSON.parse)
		const meta = records[0].payload
		if (!meta.source.subagent) continue
		const first = records.find(r => r.payload.type === "task_started").payload.turn_id
		const last = records.at(-1).ordinal
		const task = records.find(r => r.payload.item?.type === "UserMessage")
		const name = n => n === last + 1 ? "N+1" : n
		console.log("subagent inherited nothing: its first turn is " + (first > meta.id ? "behind" : "before") + " its thread")
		console.log("lines: " + records[0].ordinal + " to N")
		console.log(`task "${task.payload.item.content[0].text}" is ${task.ordinal <= last ? "below" : "above"} N+1`)
		console.log("subagent_history_start_ordinal: " + name(meta.subagent_history_start_ordinal))
	}')
printf '%s\n' "$got"
[ "$got" = 'subagent inherited nothing: its first turn is behind its thread
lines: 0 to N
task "Count the pumps" is below N+1
subagent_history_start_ordinal: N+1' ]
