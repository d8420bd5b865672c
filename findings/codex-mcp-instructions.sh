#!/usr/bin/env bash
# Codex CLI 0.171.0: the model only sees the beginning of the first paragraph of an MCP server's instructions.
#
# Run: bash findings/codex-mcp-instructions.sh
# It needs bash, git, Node and npm, installs the client into a temporary folder, and answers its requests
# from a server on loopback.
#
# The client defers the tools of MCP servers: the model has to search for them. Until then it gets one line
# for each server, under "Deferred tool namespaces": the first paragraph of the instructions, up to an empty
# line. A paragraph of up to 250 characters is complete, a longer one is cut after 247 and ends with "...". So
# a server that explains there when to use which of its tools has that much room, and a model that never
# searches does not read the text further down.
#
# Output seen on 2026-11-30:
#   a paragraph of 250: 250 characters, whole
#   a paragraph of 251: 250 characters, the last three are dots
#   the second paragraph: not shown
set -euo pipefail

tmp=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$tmp"' EXIT
cd "$tmp"
npm install --silent --no-audit --no-fund --prefix "$tmp/client" @openai/codex@0.171.0 >/dev/null

cat >tools.js <<'JS'
// An MCP server with one tool, whose instructions have a first paragraph of as many letters as asked for.
const instructions = 'x'.repeat(Number(process.argv[2])) + '\n\nSECOND paragraph.'
const tool = { name: 'look', description: 'Look.', inputSchema: { type: 'object' } }
require('readline').createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line)
  const answers = {
    initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 't', version: '1' }, instructions }),
    'tools/list': () => ({ tools: [tool] })
  }
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: (answers[method] ?? (() => ({})))() }))
})
JS
cat >model.js <<'JS'
// The model says one word, and what it was asked is kept.
require('http').createServer((request, response) => {
  let body = ''
  request.on('data', part => { body += part })
  request.on('end', () => {
    if (request.method !== 'POST') return response.writeHead(404).end()
    require('fs').appendFileSync('asked', body + '\n')
    const item = { id: 'm', type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Done.', annotations: [] }] }
    const whole = { id: 'r', object: 'response', usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } }
    const send = data => response.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    send({ type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } })
    send({ type: 'response.output_item.done', output_index: 0, item })
    send({ type: 'response.completed', response: { ...whole, status: 'completed', output: [item] } })
    response.end()
  })
}).listen(0, '127.0.0.1', function () { require('fs').writeFileSync('port', String(this.address().port)) })
JS
node model.js &
server=$!
until [ -s port ]; do sleep 0.1; done

mkdir -p home/.codex work
git init --quiet work
for n in 250 251; do
  cat >home/.codex/config.toml <<TOML
model = "gpt-5.5"
model_provider = "local"
[model_providers.local]
name = "local"
base_url = "http://127.0.0.1:$(cat port)/v1"
wire_api = "responses"
[mcp_servers.tools]
command = "$(command -v node)"
args = ["$tmp/tools.js", "$n"]
TOML
  : >asked
  (cd work && HOME="$tmp/home" timeout 60 "$tmp/client/node_modules/.bin/codex" exec 'Say one word' </dev/null >/dev/null 2>&1)
  grep -o 'mcp__tools: x*\.*' asked | head -1 | sed 's/mcp__tools: //' >"shown.$n"
done

grep -qx 'x\{250\}' shown.250
echo "a paragraph of 250: 250 characters, whole"
grep -qx 'x\{247\}\.\.\.' shown.251
echo "a paragraph of 251: 250 characters, the last three are dots"
if grep -q 'SECOND' asked; then echo "the second paragraph: shown"; exit 1; fi
echo "the second paragraph: not shown"
