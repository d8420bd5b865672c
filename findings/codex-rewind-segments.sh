#!/usr/bin/env bash
# Codex CLI 0.171.0: history_base.thread_id may be a segment of a thread, which is not a thread.
#
# Run: bash findings/codex-rewind-segments.sh
# It needs bash, Node and npm, installs the client into a temporary folder, and answers its
# requests from a server on loopback.
#
# Going back in a conversation begins a second file of the same thread: rollout-TIME-THREAD_SEGMENT.jsonl.
# history_base in the first record of that file is where it continues: thread_id and end_ordinal_exclusive.
# After the first time thread_id is the thread. After the second time, and in a fork of such a thread, it is
# the id of the segment in the name of the file before. No session_meta has that id: the client's own command
# doesn't resume it. So a reader that looks for the base by thread id finds no file, and treats the fork of a
# session as an independent session. Segment ids must be looked up in the file names.
#
# Output seen on 2026-11-30:
#   first file: no base
#   second file: base is the thread
#   third file: base is the segment of the second file
#   fork: base is the segment of the third file
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
npm install --silent --no-audit --no-fund --prefix "$tmp" @openai/codex@0.171.0 >/dev/null
mkdir -p home/.codex work

cat >drive.js <<'JS'
const { spawn } = require('child_process')
const fs = require('fs')
const path = require('path')
const readline = require('readline')

// The model says "Noted." to everything.
const answer = number => {
  const item = { type: 'message', id: 'msg_' + number, role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Noted.', annotations: [] }] }
  const response = { id: 'resp_' + number, object: 'response', output: [item], usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } }
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { ...response, status: 'completed' } },
  ].map(data => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`).join('')
}
let requests = 0
const model = require('http').createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    if (request.method !== 'POST') return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(answer(++requests))
  })
})

async function main () {
  await new Promise(resolve => model.listen(0, '127.0.0.1', resolve))
  fs.writeFileSync('home/.codex/config.toml', `
model = "gpt-5.5"
model_provider = "local"
[model_providers.local]
name = "local"
base_url = "http://127.0.0.1:${model.address().port}/v1"
wire_api = "responses"
`)
  const client = spawn(path.resolve('node_modules/.bin/codex'), ['app-server'], {
    cwd: 'work', stdio: ['pipe', 'pipe', 'ignore'], env: { PATH: process.env.PATH, HOME: path.resolve('home') },
  })
  const waiting = []
  readline.createInterface({ input: client.stdout }).on('line', line => {
    const message = JSON.parse(line)
    const i = waiting.findIndex(w => w.wants(message))
    if (i >= 0) waiting.splice(i, 1)[0].resolve(message)
  })
  const next = wants => new Promise(resolve => waiting.push({ wants, resolve }))
  let id = 0
  const call = async (method, params) => {
    const own = ++id
    const reply = next(m => m.id === own)
    client.stdin.write(JSON.stringify({ id: own, method, params }) + '\n')
    const { result, error } = await reply
    if (error) throw new Error(method + ': ' + error.message)
    return result
  }
  const prompt = async (threadId, text) => {
    const done = next(m => m.method === 'turn/completed')
    await call('turn/start', { threadId, input: [{ type: 'text', text }] })
    return (await done).params.turn.id
  }
  await call('initialize', { clientInfo: { name: 'finding', version: '1' }, capabilities: { experimentalApi: true } })
  client.stdin.write('{"method":"initialized"}\n')
  const { thread } = await call('thread/start', { cwd: path.resolve('work') })
  await prompt(thread.id, 'Name the pump')
  const red = await prompt(thread.id, 'Paint it red')
  await call('thread/revert', { threadId: thread.id, beforeTurnId: red })
  await prompt(thread.id, 'Paint it blue')
  const large = await prompt(thread.id, 'Make it large')
  await call('thread/revert', { threadId: thread.id, beforeTurnId: large })
  await prompt(thread.id, 'Make it small')
  const fork = (await call('thread/fork', { threadId: thread.id })).thread
  await prompt(fork.id, 'Sell it')
  client.stdin.end()
  setTimeout(() => { client.kill(); report(thread.id, fork.id) }, 1000)
}

function report (thread, fork) {
  const files = fs.readdirSync('home/.codex/sessions', { recursive: true }).filter(f => f.endsWith('.jsonl'))
  const names = files.map(f => path.basename(f, '.jsonl'))
  const first = f => JSON.parse(fs.readFileSync(path.join('home/.codex/sessions', f), 'utf8').split('\n')[0]).payload
  const all = Object.fromEntries(files.map(f => [path.basename(f, '.jsonl'), first(f)]))
  const segments = names.filter(n => n.includes(thread + '_')).map(n => n.split('_')[1]).sort() // in the order of time
  const of = id => all[names.find(n => n.endsWith(id))].history_base?.thread_id
  const say = base => !base ? 'no base' : base === thread ? 'base is the thread'
    : 'base is ' + ({ [segments[0]]: 'the segment of the second file', [segments[1]]: 'the segment of the third file' }[base] ?? base)
  console.log('first file: ' + say(of('-' + thread)))
  console.log('second file: ' + say(of(segments[0])))
  console.log('third file: ' + say(of(segments[1])))
  console.log('fork: ' + say(of(fork)))
  process.exit(0)
}
main().catch(error => { console.error(error); process.exit(1) })
JS
got=$(timeout 120 node drive.js)
printf '%s\n' "$got"
[ "$got" = 'first file: no base
second file: base is the thread
third file: base is the segment of the second file
fork: base is the segment of the third file' ]
