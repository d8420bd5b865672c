#!/usr/bin/env bash
# GitHub Copilot CLI 1.0.102 runs a checkout's Claude Code hooks without their args, and drops context in the
# format of Claude Code's hooks.
#
# Run: bash findings/copilot-cli-claude-hooks.sh
# It needs bash, Node and npm, installs the client into a temporary folder, and answers its requests
# from a server on loopback.
#
# In a trusted folder the client reads .claude/settings.json and gives its hooks the payloads of Claude Code.
# The command of a hook with args runs without any. For a reply {"hookSpecificOutput": {"hookEventName": …,
# "additionalContext": …}} the model gets nothing, although the hook counts as a success.
# {"additionalContext": …} at the top level reaches it, at the start of a session as well as at a prompt.
#
# Output seen on 2026-11-30:
#   SessionStart with args [one]: called with ""
#   UserPromptSubmit with the words in the command: called with "two"
#   in hookSpecificOutput: SessionStart false, UserPromptSubmit false
#   at the top: SessionStart true, UserPromptSubmit true
set -euo pipefail

tmp=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$tmp"' EXIT
cd "$tmp"
npm install --silent --no-audit --no-fund --prefix "$tmp" @github/copilot@1.0.102 >/dev/null 2>&1

cat >server.js <<'JS'
const fs = require('fs')
require('http').createServer((request, response) => {
  let body = ''
  request.on('data', part => { body += part }).on('end', () => {
    if (request.method !== 'POST') {
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.end('{"object":"list","data":[{"id":"claude-sonnet-4","object":"model"}]}')
    }
    fs.appendFileSync('requests', JSON.stringify(JSON.parse(body).messages) + '\n')
    const line = (delta, finish_reason) => 'data: ' + JSON.stringify({
      id: 'r', object: 'chat.completion.chunk', created: 0, model: 'claude-sonnet-4',
      choices: [{ index: 0, delta, finish_reason }],
    }) + '\n\n'
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(line({ role: 'assistant', content: 'Hello.' }, null) + line({}, 'stop') + 'data: [DONE]\n\n')
  })
}).listen(0, '127.0.0.1', function () { fs.writeFileSync('port', String(this.address().port)) })
JS
node server.js &
server=$!
until [ -s port ]; do kill -0 "$server" && sleep 0.1; done

# A hook that records its arguments, and answers with the content of a file for its event.
cat >hook.sh <<EOF
#!/bin/sh
event=\$(sed 's/.*"hook_event_name":"\([A-Za-z]*\)".*/\1/')
echo "\$event called with \"\$*\"" >>$tmp/calls
cat $tmp/reply-\$event
EOF
chmod +x hook.sh
mkdir -p home work/.claude
git init -q work
node -e '
	const hook = process.argv[1]
	console.log(JSON.stringify({ hooks: {
		SessionStart: [{ hooks: [{ type: "command", command: hook, args: ["one"] }] }],
		UserPromptSubmit: [{ hooks: [{ type: "command", command: hook + " two" }] }],
	} }))' "$tmp/hook.sh" >work/.claude/settings.json

# session runs a session whose hooks answer in the format that $1 makes of an event and its context.
session() {
	: >"$tmp/calls" >"$tmp/requests"
	for event in SessionStart UserPromptSubmit; do node -p "JSON.stringify(($1)('$event', 'context of $event'))" >"$tmp/reply-$event"; done
	(cd work && env -i PATH="$PATH" HOME="$tmp/home" COPILOT_OFFLINE=true COPILOT_AUTO_UPDATE=false \
		COPILOT_PROVIDER_BASE_URL="http://127.0.0.1:$(cat "$tmp/port")/v1" COPILOT_PROVIDER_API_KEY=none \
		COPILOT_MODEL=claude-sonnet-4 timeout 100 "$tmp/node_modules/.bin/copilot" --trust-folder -p 'Good morning' \
		</dev/null >/dev/null 2>&1)
}
told() {
	for event in SessionStart UserPromptSubmit; do
		grep -q "context of $event" requests && printf '%s true' "$event" || printf '%s false' "$event"
		[ "$event" = UserPromptSubmit ] || printf ', '
	done
}

got=$(
	session '(hookEventName, additionalContext) => ({ hookSpecificOutput: { hookEventName, additionalContext } })'
	sed 's/SessionStart called/SessionStart with args [one]: called/; s/Submit called/Submit with the words in the command: called/' calls
	echo "in hookSpecificOutput: $(told)"
	session '(event, additionalContext) => ({ additionalContext })'
	echo "at the top: $(told)"
)
printf '%s\n' "$got"
[ "$got" = 'SessionStart with args [one]: called with ""
UserPromptSubmit with the words in the command: called with "two"
in hookSpecificOutput: SessionStart false, UserPromptSubmit false
at the top: SessionStart true, UserPromptSubmit true' ]
