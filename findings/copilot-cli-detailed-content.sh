#!/usr/bin/env bash
# GitHub Copilot CLI 1.0.102: detailedContent of a result may lack the text in content.
#
# Run: bash findings/copilot-cli-detailed-content.sh
# It needs bash, Node and npm, installs the client into a temporary folder, and answers its requests
# from a server on loopback.
#
# According to the schema that the client unpacks (schemas/session-events.schema.json), content of a result is
# concise and potentially truncated, and detailedContent complete. The model starts a subagent in the
# background; when that is done, the client itself adds a call of read_agent. The content of its result has
# the subagent's answer, detailedContent is a label. That of the task call is its prompt. So a reader that
# prefers detailedContent loses the answers of all background subagents.
#
# Output seen on 2026-11-30:
#   schema: Detailed tool result for UI/timeline display, preserving complete content
#   task: content "Agent started in background", detailedContent "Prompt to general-purpose agent"
#   read_agent: answer in content: true, in detailedContent: false; detailedContent "<agent ID idle>"
set -euo pipefail

tmp=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$tmp"' EXIT
cd "$tmp"
npm install --silent --no-audit --no-fund --prefix "$tmp" @github/copilot@1.0.102 >/dev/null 2>&1

cat >server.js <<'JS'
const task = { agent_type: 'general-purpose', name: 'counter', description: 'Count', prompt: 'Count the doors', mode: 'background' }
require('http').createServer((request, response) => {
  let body = ''
  request.on('data', part => { body += part }).on('end', () => {
    if (request.method !== 'POST') {
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.end('{"object":"list","data":[{"id":"claude-sonnet-4","object":"model"}]}')
    }
    const { messages } = JSON.parse(body)
    const said = JSON.stringify(messages)
    let delta = { role: 'assistant', content: 'Waiting.' }
    if (!said.includes('Ask for the doors')) delta.content = 'There are seven doors.'
    else if (!messages.some(m => m.role === 'tool')) {
      const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'task', arguments: JSON.stringify(task) } }
      delta = { role: 'assistant', content: null, tool_calls: [call] }
    }
    const chunk = (delta, finish_reason) => 'data: ' + JSON.stringify({
      id: 'c', object: 'chat.completion.chunk', created: 0, model: 'claude-sonnet-4',
      choices: [{ index: 0, delta, finish_reason }],
    }) + '\n\n'
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(chunk(delta, null) + chunk({}, delta.tool_calls ? 'tool_calls' : 'stop') + 'data: [DONE]\n\n')
  })
}).listen(0, '127.0.0.1', function () { require('fs').writeFileSync('port', String(this.address().port)) })
JS
node server.js &
server=$!
until [ -s port ]; do kill -0 "$server" && sleep 0.1; done

mkdir home work
(cd work && env -i PATH="$PATH" HOME="$tmp/home" COPILOT_OFFLINE=true COPILOT_AUTO_UPDATE=false \
	COPILOT_PROVIDER_BASE_URL="http://127.0.0.1:$(cat "$tmp/port")/v1" COPILOT_PROVIDER_API_KEY=none \
	COPILOT_MODEL=claude-sonnet-4 timeout 100 "$tmp/node_modules/.bin/copilot" -p 'Ask for the doors' \
	--allow-all-tools </dev/null >/dev/null 2>&1)

got=$(node -e '
	const [events, schema] = process.argv.slice(1).map(f => require("fs").readFileSync(f, "utf8"))
	const { detailedContent } = JSON.parse(schema).definitions.ToolExecutionCompleteResult.properties
	console.log("schema: " + detailedContent.description.match(/^.*?complete content/)[0])
	const all = events.trim().split("\n").map(JSON.parse)
	const result = tool => {
		const { toolCallId } = all.find(e => e.type === "tool.execution_start" && e.data.toolName === tool).data
		return all.find(e => e.type === "tool.execution_complete" && e.data.toolCallId === toolCallId).data.result
	}
	const task = result("task"), read = result("read_agent"), answer = "There are seven doors."
	const begin = (text, words) => JSON.stringify(text.split(" ").slice(0, words).join(" "))
	console.log(`task: content ${begin(task.content, 4)}, detailedContent ${begin(task.detailedContent, 4)}`)
	console.log(`read_agent: answer in content: ${read.content.includes(answer)}, ` +
		`in detailedContent: ${read.detailedContent.includes(answer)}; ` +
		`detailedContent "${read.detailedContent.replace(/[0-9a-f-]{36}/, "ID")}"`)' \
	"$tmp"/home/.copilot/session-state/*/events.jsonl "$tmp"/home/.cache/copilot/pkg/*/*/schemas/session-events.schema.json)
printf '%s\n' "$got"
[ "$got" = 'schema: Detailed tool result for UI/timeline display, preserving complete content
task: content "Agent started in background", detailedContent "Prompt to general-purpose agent"
read_agent: answer in content: true, in detailedContent: false; detailedContent "<agent ID idle>"' ]
