// Package config knows the form of gitmem/config.yaml, of gitmem/local.yaml and of the list of
// pauses, and matches folders and repositories with their rules.
//
// It is pure: it is given bytes, times and names, and reads no file, clock or environment.
// It must not know what capturing is, where files are or how a remote's address is parsed.
//
// # The files
//
// Both files are optional and are in the root of memory only: nothing in a project's repository
// configures anything. They hold no secret; a remote with a password in it is rejected.
//
// config.yaml is part of memory, so that another machine, or whoever may push to a remote of memory,
// can write it. It configures what does no harm whoever writes it:
//
//	# Keep the client's transcripts when it deletes its own. Default: off.
//	keep_transcripts: on
//	# Tell each prompt of the client what memory holds on its subject. Default: on.
//	recall: off
//	# Show the person, in one line, where such an addition is from. Default: on.
//	recall_notice: off
//	# How long a question waits for a forge or a tracker, 100ms to 5m. Default: 1.5s, and
//	# 3s for one that was never asked. gitmem index waits longer by itself.
//	fetch_wait: 10s
//	# Sync memory when a session starts and ends: auto or off. Default: off.
//	sync: auto
//
// The key expand is explained by gitmem help configuration. Of the keys below only what restricts is
// used there: exclude, and values such as off. See [ParseShared].
//
// local.yaml is of one machine, and git ignores it. It has the keys that name a command, an address
// or a back end, or say what is captured, and the keys above, which then win:
//
//	# Hooks log and archive nothing when this is off; what is known is told all the same.
//	# Default: on.
//	capture: on
//	# What is never captured, indexed or kept. Default: nothing.
//	exclude:
//	  - ~/work/secret/**     # a folder: begins with /, ~/, **/ or a drive (C:/)
//	  - "**/clients/*"       # quoted, since YAML reads a * at the beginning as its own
//	  - github.com/acme/*    # a remote: host/owner/repository, in any of git's forms
//	# Agents other than Claude Code whose sessions are archived, by name. Default: none.
//	archive_agents: [codex, gemini]
//	# What is indexed beside the messages of a session: on (calls of tools, their results,
//	# thinking), names (calls only) or off. Default: on.
//	index_tools: names
//	# Search by meaning, too. Default: off. Either a model that gitmem model list shows,
//	# or a server that speaks OpenAI's embeddings API; its key is read from the
//	# environment and is never in this file.
//	embed:
//	  model: potion-base-8M
//	  # endpoint: http://localhost:11434/v1
//	  # dimensions: 512              # requested from the server
//	  # query_prefix: "query: "      # where its model wants one
//	  # doc_prefix: "passage: "
//	# Which servers are asked for pull requests and issues. Default: the
//	# public services, for repositories from there. off asks none. Tokens are read from the
//	# environment and are never in this file. The tracker below has a switch of its own.
//	forges:
//	  - host: git.example.org          # as in remotes
//	    kind: gitlab                   # or github
//	    # api: https://git.example.org/api/v4
//	# A tracker, and which of its projects are read. Default: none.
//	jira:
//	  url: https://acme.atlassian.net
//	  projects: [ABC]
//	  cloud: true                      # Atlassian's own service
//	  only: [github.com/acme/*]        # folders and remotes, as in exclude, whose
//	                                   # questions ask it. Default: every repository's
//
// The keys agent, providers and cross_project are explained by gitmem help configuration.
//
// Reading is strict: an unknown key, a value of another type, a duplicate key or an invalid
// rule is an error that names its line.
//
// # Rules
//
// Within a segment * is any run of characters, ? one, and [a-z] one of a class; ** as a
// whole segment is any number of segments, also none. A rule covers what it matches and
// everything below it, so ~/work and ~/work/** are the same. Remotes are compared without
// regard to case, and so are folders on Windows and macOS, whose file systems do the same.
package config
