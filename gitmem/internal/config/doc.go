// Package config parses gitmem/config.yaml, gitmem/local.yaml and the list of pauses, and matches folders and
// repositories against their rules.
//
// It is pure: its inputs are bytes, times and names, and it reads no file, clock or environment. It must not know what
// capturing is, where files are or how a remote's address is parsed.
//
// # The files
//
// Both files are optional and exist only in the root of memory: a project's repository configures nothing. They contain
// no secrets; a remote with a password is rejected.
//
// config.yaml is part of memory, so another machine, or anybody who may push to a remote of memory, can write it. It
// contains only settings that are harmless regardless of their author:
//
//	# Keep the client's transcripts after it deletes them. Default: off.
//	keep_transcripts: on
//	# Add what memory contains on its subject to each prompt of the client. Default: on.
//	recall: off
//	# Show the person, in one line, the source of such an addition. Default: on.
//	recall_notice: off
//	# How long a question waits for a forge or a tracker, 100ms to 5m. Default: 1.5s, and
//	# 3s for the first time. gitmem index always waits longer.
//	fetch_wait: 10s
//	# Sync memory when a session starts and ends: auto or off. Default: off.
//	sync: auto
//
// gitmem help configuration explains the key expand. Of the keys below, config.yaml may only use restrictions: exclude,
// and values such as off. See [ParseShared].
//
// local.yaml belongs to one machine, and git ignores it. It contains the keys that name a command, an address or a back
// end, or control capture. It may also contain the keys above and then overrides them:
//
//	# Hooks log and archive nothing when this is off; memory is still searched and injected.
//	# Default: on.
//	capture: on
//	# Folders and remotes that are never captured, indexed or kept. Default: nothing.
//	exclude:
//	  - ~/work/secret/**     # a folder: begins with /, ~/, **/ or a drive (C:/)
//	  - "**/clients/*"       # quoted, since a leading * is YAML syntax
//	  - github.com/acme/*    # a remote: host/owner/repository, in any of git's forms
//	# Agents other than Claude Code whose sessions are archived, by name. Default: none.
//	archive_agents: [codex, gemini]
//	# What is indexed besides the messages of a session: on (tool calls, their results,
//	# thinking), names (calls only) or off. Default: on.
//	index_tools: names
//	# Search by meaning, too. Default: off. Either a model from gitmem model list,
//	# or a server with OpenAI's embeddings API; its key is read from the
//	# environment and is never in this file.
//	embed:
//	  model: potion-base-8M
//	  # endpoint: http://localhost:11434/v1
//	  # dimensions: 512              # requested from the server
//	  # query_prefix: "query: "      # if its model needs one
//	  # doc_prefix: "passage: "
//	# Servers that are asked for pull requests and issues. Default: the
//	# public services, for repositories hosted there. off asks none. Tokens are read from the
//	# environment and are never in this file. The tracker below has a separate switch.
//	forges:
//	  - host: git.example.org          # as in remotes
//	    kind: gitlab                   # or github
//	    # api: https://git.example.org/api/v4
//	# A tracker and its projects to read. Default: none.
//	jira:
//	  url: https://acme.atlassian.net
//	  projects: [ABC]
//	  cloud: true                      # Atlassian's own service
//	  only: [github.com/acme/*]        # folders and remotes, as in exclude, whose
//	                                   # questions use it. Default: every repository
//
// gitmem help configuration explains the keys agent, providers and cross_project.
//
// Parsing is strict: an unknown key, a value of another type, a duplicate key or an invalid rule is an error that names
// its line.
//
// # Rules
//
// Within a segment * matches any run of characters, ? one character, and [a-z] one of a class; ** as a whole segment
// matches any number of segments, including none. A rule covers its matches and everything below them, so ~/work and
// ~/work/** are the same. Remotes are compared ignoring case, and so are folders on Windows and macOS, whose file
// systems ignore it too.
package config
