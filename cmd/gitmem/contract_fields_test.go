package main

import "maps"

// fields is the contract of one JSON object: its fields and their types. A type
// that ends in ? may be missing. The contracts are typed out here once more, away
// from the structs, so that a renamed field or a list that becomes null fails.
type fields map[string]string

func citationFields() fields {
	return fields{
		"id": "string", "layer": "string", "source": "string", "type": "string", "title": "string", "excerpt": "string",
		"author": "string", "time": "string", "project": "string", "session": "string", "path": "string", "line": "number",
		"uuid": "string", "agent": "string", "score": "number", "status": "string", "since": "number",
		"reverted_by": "string", "trust": "string", "browse_url": "string", "url": "string", "role": "string?",
		"asked": "string?", "also": "list?",
	}
}

func answerFields() fields {
	return fields{
		"question": "string", "kind": "string", "session_id": "string", "answer": "string", "confidence": "string",
		"people": "list", "citations": "list", "caveats": "list", "searched": "list", "strategies": "list",
		"fallbacks": "list", "suggestions": "list", "elapsed_ms": "number", "as_of": "string", "verdict": "string",
		"complete": "bool",
	}
}

func whoFields() fields {
	return fields{
		"query": "string", "by": "string", "area": "list", "files": "number", "people": "list", "others": "number",
		"commits": "number", "bots": "number", "bus_factor": "number", "owners": "list", "caveats": "list",
	}
}

func teamFields() fields {
	return fields{
		"path": "string", "commits": "number", "merges": "number", "bots": "number", "first": "string", "last": "string",
		"people": "number", "active": "number", "active_days": "number", "activity": "list", "folders": "list",
		"more_folders": "number", "made": "number", "risks": "list", "hot_spots": "list", "joined": "list", "left": "list",
		"reviews": "number", "reviewers": "list", "caveats": "list",
	}
}

func teamMemberFields() fields {
	return fields{"name": "string", "email": "string", "commits": "number", "first": "string", "last": "string"}
}

func rulePlanFields() fields {
	return fields{
		"id": "string", "rule": "string", "file": "string", "paths": "list", "repository": "string", "base": "string",
		"branch": "string", "title": "string", "body": "string", "diff": "string", "evidence": "list", "near": "list",
		"against": "list", "replaces": "list", "reviewers": "list", "open": "string", "caveats": "list",
	}
}

func ruleProposedFields() fields {
	return fields{
		"id": "string", "rule": "string", "file": "string", "state": "string", "branch": "string", "commit": "string",
		"number": "number", "url": "string", "next": "list", "caveats": "list",
	}
}

func doctorFields() fields {
	return fields{
		"check": "string", "state": "string", "detail": "string", "advice": "string", "fixable": "bool", "fixed": "bool",
		"places": "list",
	}
}

// injectedFields are those of what was injected, with others.
func injectedFields(others fields) fields {
	f := fields{"injections": "number", "chars": "number", "tokens_estimated": "number"}
	maps.Copy(f, others)
	return f
}

func costFields() fields {
	return injectedFields(fields{
		"since": "string", "traced": "string", "days": "list", "sessions": "list", "hooks": "list", "unread_lines": "number",
		"caveats": "list", "models": "list", "daily_tokens": "number",
	})
}

func searchFields() fields {
	return fields{
		"query": "string", "strategies": "list", "hits": "list", "caveats": "list", "fallbacks": "list",
		"suggestions": "list", "as_of": "string", "complete": "bool",
	}
}

func hitFields() fields { return with(citationFields(), "why", "list?") }

// with adds a field to a contract.
func with(f fields, name, kind string) fields {
	f[name] = kind
	return f
}

func explanationFields() fields {
	return fields{
		"words": "list", "phrases": "list", "required": "list", "excluded": "list", "filters": "list", "time": "string",
		"stop_words": "list", "expansions": "list", "terms": "list", "steps": "list",
	}
}

func whyFields() fields {
	return fields{
		"path": "string", "rev": "string", "from": "number", "to": "number", "recorded": "bool", "blamed": "list",
		"made_by": "list", "reasons": "list", "caveats": "list",
	}
}

func shardFields() fields {
	return fields{"name": "string", "state": "string", "docs": "number", "busy": "bool", "tips": "list?",
		"pending": "number?"}
}

func statusFields() fields {
	return fields{
		"root": "string", "store": "bool", "repository": "string", "project": "string", "folder": "string", "files": "number",
		"bytes": "number", "last_commit": "string", "pending": "list", "index_dir": "string", "shards": "list",
		"meaning": "string", "caveats": "list", "capture": "object", "excluded": "list", "last_hook": "object",
		"growth": "list", "held": "list", "repository_bytes": "number", "loose_objects": "number", "index_bytes": "number",
		"kept_transcripts": "number", "agents": "list", "kept_bytes": "number", "traced": "string", "trace_bytes": "number",
		"forges": "list",
	}
}

func contextFields() fields {
	return fields{
		"text": "string", "notice": "string", "characters": "number", "parts": "list", "citations": "strings",
		"skipped": "list", "again": "bool", "variables": "list",
	}
}

func notedFields() fields {
	return fields{"id": "string", "file": "string", "line": "number", "commit": "string", "text": "string",
		"trust": "string"}
}

func forgetFields() fields {
	return fields{"removed": "list", "hidden": "list", "missing": "list", "history": "object?", "ask": "bool"}
}

func forgottenFields() fields {
	f := forgetFields()
	f["commit"], f["elsewhere"], f["caveats"] = "string", "list", "list"
	return f
}

func shownFields() fields {
	f := citationFields()
	f["text"], f["paths"], f["state"], f["also"], f["links"] = "string", "list", "string", "list", "list"
	return f
}

func rederivedFields() fields {
	return fields{"sections": "number", "gone": "number", "compacted": "number", "running": "number", "asking": "number",
		"marked": "number", "unknown": "number", "changed": "list", "left": "list", "commits": "list"}
}

// inner gives the contract of an object, or of those in a list, by the field that holds it.
// Lists that are not named hold strings.
func inner(list string) fields {
	for _, objects := range []map[string]fields{answerObjects(), repositoryObjects(), memoryObjects(), stateObjects(),
		benchObjects()} {
		if f, ok := objects[list]; ok {
			return f
		}
	}
	return nil
}

// answerObjects are those of what a question finds, and of the way to it.
func answerObjects() map[string]fields {
	return map[string]fields{
		"citations":  citationFields(),
		"evidence":   citationFields(),
		"near":       citationFields(),
		"against":    citationFields(),
		"reasons":    citationFields(),
		"hits":       hitFields(),
		"links":      {"rel": "string", "id": "string"},
		"explain":    explanationFields(),
		"terms":      {"term": "string", "docs": "number", "weight": "number"},
		"trail":      {"level": "number", "lead": "string", "from": "string", "by": "string", "gave": "string"},
		"strategies": {"name": "string", "ok": "bool", "ms": "number", "hits": "number", "error": "string"},
		"searched":   {"layer": "string", "source": "string", "items": "number", "newest": "string"},
	}
}

// repositoryObjects are those of a repository and of the people who made it.
func repositoryObjects() map[string]fields {
	return map[string]fields{
		"rules": {"at": "string", "text": "string", "paths": "strings", "files": "number", "commit": "string",
			"author": "string", "time": "string", "evidence": "list", "problems": "strings"},
		"changes": {
			"path": "string", "status": "string", "added": "number", "removed": "number", "patch": "string", "redacted": "bool",
		},
		"lines": {
			"line": "number", "text": "string", "commit": "string", "time": "string", "session": "string", "turn": "string",
			"why": "string",
		},
		"blamed": {"from": "number", "to": "number", "id": "string", "commit": "string", "text": "string",
			"session": "string"},
		"made_by": {
			"id": "string", "title": "string", "author": "string", "time": "string", "part": "string", "path": "string",
			"added": "number", "removed": "number", "lines": "number", "via": "string", "pull_request": "string",
			"closes": "list", "release": "string", "status": "string", "reverted_by": "string",
		},
		"people": {
			"name": "string", "email": "string", "score": "number", "commits": "number", "last": "string", "areas": "list",
			"citations": "strings", "lines": "number", "reviews": "number", "active": "bool", "share": "number",
			"surviving": "number",
		},
		"activity": {"start": "string", "commits": "number", "people": "number"},
		"folders": {
			"path": "string", "activity": "number", "files": "number", "commits": "number", "lines": "number",
			"people": "number", "bus_factor": "number", "lost": "number", "owner": "string", "owner_email": "string",
			"owner_share": "number", "owner_active": "bool", "owner_last": "string",
		},
		"risks":     {"kind": "string", "path": "string", "text": "string"},
		"hot_spots": {"path": "string", "commits": "number", "lines": "number", "people": "number"},
		"joined":    teamMemberFields(),
		"left":      teamMemberFields(),
		"reviewers": {"name": "string", "email": "string", "reviews": "number", "last": "string"},
	}
}

// memoryObjects are those of what is remembered and forgotten.
func memoryObjects() map[string]fields {
	return map[string]fields{
		"kinds":     {"layer": "string", "type": "string", "items": "number", "oldest": "string", "newest": "string"},
		"sections":  {"session": "string", "file": "string", "date": "string"},
		"failed":    {"transcript": "string", "reason": "string"},
		"excluded":  {"rule": "string", "sessions": "number"},
		"parts":     {"name": "string", "lines": "number", "more": "number"},
		"variables": {"name": "string", "value": "string"},
		"entries": {
			"id": "string", "path": "string", "value": "string", "confidence": "number", "last_seen": "string",
			"days_left": "number", "source": "string", "said": "string", "pinned": "bool", "trust": "string",
		},
		"findings": {
			"check": "string", "file": "string", "line": "number", "text": "string", "detail": "string", "advice": "string",
			"other_file": "string?", "other_line": "number?",
		},
		"removed":   {"file": "string", "id": "string", "text": "string"},
		"elsewhere": {"id": "string", "layer": "string", "excerpt": "string"},
		"hidden":    {"id": "string", "where": "string"},
	}
}

// stateObjects are those of what is running and how well.
func stateObjects() map[string]fields {
	return map[string]fields{
		"shards": shardFields(),
		"places": {"path": "string", "line": "number", "kind": "string", "commit": "string", "detail": "string"},
		"growth": {"days": "number", "commits": "number", "bytes": "number"},
		"capture": {"state": "string", "detail": "string", "rule": "string", "since": "string", "until": "string",
			"folder": "string"},
		"last_hook": {"time": "string", "hook": "string", "result": "string", "detail": "string"},
		"forges": {
			"kind": "string", "name": "string", "items": "number", "fetched": "string", "tried": "string", "trouble": "string",
			"retry": "string", "token": "bool", "offline": "bool", "left_out": "list",
		},
		"left_out": {"reason": "string", "items": "number"},
		"days":     injectedFields(fields{"day": "string", "sessions": "number"}),
		"sessions": injectedFields(fields{"session": "string", "last": "string"}),
		"hooks": {
			"hook": "string", "runs": "number", "errors": "number", "injections": "number", "seconds": "number",
			"p50_ms": "number", "p95_ms": "number",
		},
	}
}

// benchObjects are those of the figures of bench.
func benchObjects() map[string]fields {
	return map[string]fields{
		"rows": {
			"name": "string", "figure": "string", "unit": "string", "gitmem": "number?", "fts5": "number?", "ratio": "number?",
			"by": "string", "limit": "number", "aim": "number", "verdict": "string", "note": "string",
		},
		"groups": {"name": "string", "questions": "number", "first": "number", "useful": "number", "refused": "number"},
		"levels": {"confidence": "string", "answers": "number", "right": "number", "never_happened": "number"},
		"asked": {
			"id": "string", "question": "string", "verdict": "string", "confidence": "string", "rank": "number",
		},
		"readings": {
			"figure": "string", "git_wall_ms": "number", "wall_ms": "number", "wall_ratio": "number", "git_cpu_ms": "number",
			"cpu_ms": "number", "cpu_ratio": "number", "git_rss_mb": "number", "rss_mb": "number", "heap_in_use_mb": "number",
			"heap_sys_mb": "number", "verdict": "string",
		},
		"cases": {
			"hook": "string", "case": "string", "wall_ms": "number?", "p95_ms": "number?", "above_ms": "number?",
			"limit_ms": "number", "cpu_ms": "number?", "peak_mb": "number?", "verdict": "string", "note": "string",
		},
	}
}

func fixesFields() fields {
	return fields{"error": "list", "fixes": "list", "open": "list", "caveats": "list"}
}
