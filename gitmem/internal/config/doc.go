// Package config knows the form of gitmem/config.yaml and of the list of pauses,
// and tells which folders and repositories their rules are about.
//
// It is pure: it is given bytes, times and names, and reads no file, clock or
// environment. It must not know what capturing is, where files lie or how a
// remote's address is taken apart.
//
// # The file
//
// The file is optional and is in the root of memory alone: nothing in a
// project's repository configures anything. It holds no secret; a remote with a
// password in it is refused.
//
//	# Hooks write nothing when this is off. Default: on.
//	capture: on
//	# What is never captured, indexed or kept. Default: nothing.
//	exclude:
//	  - ~/work/secret/**     # a folder: begins with /, ~/, **/ or a drive (C:/)
//	  - "**/clients/*"       # quoted, since YAML reads a * at the beginning as its own
//	  - github.com/acme/*    # a remote: host/owner/repository, in any of git's forms
//	# Keep the client's transcripts when it deletes its own. Default: off.
//	keep_transcripts: on
//	# Tell each prompt of the client what memory holds of its subject. Default: on.
//	recall: off
//	# Show the person, in one line, what such a prompt was told from. Default: on.
//	recall_notice: off
//	# What is indexed beside the words of a session: on (calls of tools, their results,
//	# thinking), names (calls only) or off. Default: on.
//	index_tools: names
//	# Search by meaning, too. Default: off. Either a model that gitmem model list shows,
//	# or a server that speaks OpenAI's embeddings API; its key is read from the
//	# environment and never stands here.
//	embed:
//	  model: potion-base-8M
//	  # endpoint: http://localhost:11434/v1
//	  # dimensions: 512              # asked of the server
//	  # query_prefix: "query: "      # where its model wants one
//	  # doc_prefix: "passage: "
//	# Which servers are asked for pull requests and issues. Default: github.com and
//	# gitlab.com for repositories from there. off asks none. Tokens are read from the
//	# environment and never stand here. The tracker below has a switch of its own.
//	forges:
//	  - host: git.example.org          # as it stands in remotes
//	    kind: gitlab                   # or github
//	    # api: https://git.example.org/api/v4
//	# A tracker, and which of its projects are read. Default: none.
//	jira:
//	  url: https://acme.atlassian.net
//	  projects: [ABC]
//	  cloud: true                      # Atlassian's own service
//	  only: [github.com/acme/*]        # folders and remotes, as in exclude, whose
//	                                   # questions ask it. Default: every repository's
//	# How long a question waits for one of these servers, 100ms to 5m. Default: 1.5s, and
//	# 3s for one that was never asked. gitmem index waits longer by itself.
//	fetch_wait: 10s
//
// Reading is strict: a key that is not known, a value of another type, a key that
// written twice or a rule that can't be meant is an error that names its line.
//
// # Rules
//
// Within a segment * is any run of characters, ? one, and [a-z] one of a class;
// ** as a whole segment is any number of segments, also none. A rule covers what
// it matches and everything below it, so ~/work and ~/work/** say the same.
// Remotes are compared without regard to case, and so are folders on Windows and
// macOS, whose file systems do the same.
package config
