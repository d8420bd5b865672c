package transcript

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"slices"

	"github.com/segmentio/encoding/json"
)

// Tree records which records of a session file do not count. The file is a tree of records: each names its parent, and
// a person who goes back in the conversation gives an earlier record another child. With the zero Tree every record
// counts.
type Tree struct {
	takenBack, repeated Lines
	// Last is the uuid of the last record.
	Last string
	// Origin is the file of the session from which this one was forked and whose records it copies, "" if there is none or
	// the client does not record it.
	Origin string

	session string // the id of that session
	copied  int    // the last line of the copy
}

// TakenBack reports whether a line belongs to a branch of the conversation that was taken back.
func (t Tree) TakenBack(line int) bool { return t.takenBack.Has(line) }

// WithoutCopy returns the tree with the records copied from another session marked as repeated, if the file of that
// session exists.
func (t Tree) WithoutCopy(file string) Tree {
	origin := filepath.Join(filepath.Dir(file), t.session+".jsonl")
	if t.session == "" || !exists(origin) {
		return t
	}
	t.Origin = origin
	all := Lines{{1, t.copied}}
	for _, r := range t.repeated {
		if r[1] > t.copied {
			all = append(all, [2]int{max(r[0], t.copied+1), r[1]})
		}
	}
	t.repeated = all
	return t
}

// HoldsAll reports whether every record counts.
func (t Tree) HoldsAll() bool { return len(t.takenBack) == 0 && len(t.repeated) == 0 }

// TakenBackRanges returns the ranges of lines that were taken back.
func (t Tree) TakenBackRanges() Lines { return t.takenBack }

// Lines are ranges of lines, first and last, in ascending order.
type Lines [][2]int

// Has reports whether a line is in one of the ranges.
func (l Lines) Has(line int) bool {
	n, found := slices.BinarySearchFunc(l, line, func(r [2]int, line int) int { return r[0] - line })
	return found || n > 0 && line <= l[n-1][1]
}

// add appends a line after all others.
func (l *Lines) add(line int) {
	if n := len(*l); n > 0 && (*l)[n-1][1] >= line-1 {
		(*l)[n-1][1] = line
		return
	}
	*l = append(*l, [2]int{line, line})
}

// node is one record of the tree.
type node struct {
	line, last int // its own line, and the last one at or below it
	parent     int // its index, or none
	children   []int
	starts     bool
	takenBack  bool
}

// none is the parent index of a node whose parent is unknown.
const none = -1

// root is the key for the parent of records without one.
const root = "null"

// ReadTree reads the tree of the records of a session file after a position, at which r begins. last is the uuid of the
// record before it, "" if unknown. whole is false if a prompt there continues from a record before the position, or if
// a compaction may repeat such records: then only the tree of the whole file shows which records count.
//
// An older sibling of a prompt, or of a compaction of the whole conversation, counts as taken back with its descendants
// if nothing was appended there later. Otherwise the session is open in a second window. Records that "Summarize from
// here" replaces by a summary are not taken back. A record whose parent is not in the file counts.
func ReadTree(r io.Reader, from Position, last string) (tree Tree, whole bool, err error) {
	in := NewReader(r, from)
	t := treeReader{
		byUUID: map[string]int{root: 0}, nodes: []node{{parent: none}}, parents: []string{""},
		tail: from.Offset > 0, before: last, whole: true, out: Tree{Last: last},
	}
	if last != "" {
		t.add(link{uuid: last}, from.Line)
	}
	for n := from.Line + 1; ; n++ {
		line, size, err := in.line()
		if size <= maxLine {
			t.read(n, line)
		}
		if errors.Is(err, io.EOF) {
			return t.tree(), t.whole, nil
		}
		if err != nil {
			return Tree{}, false, err
		}
	}
}

// TreeOf reads the tree of the session with a path.
func TreeOf(path string) (Tree, error) {
	h, err := OpenSession(path)
	if err != nil {
		return Tree{}, err
	}
	defer h.Close()
	t, _, err := h.Tree(Position{}, "")
	return t, err
}

// treeReader collects the records of a file. The first node is the parent of prompts without one.
type treeReader struct {
	nodes   []node
	parents []string // the uuid of each node's parent
	byUUID  map[string]int
	out     Tree // result so far

	tail   bool   // there are records before the first one
	before string // the uuid of the last one of these, if known
	whole  bool   // no record here depends on one of these
}

func (t *treeReader) read(line int, b []byte) {
	l := readLink(b)
	if l.uuid == "" {
		return
	}
	t.out.Last = l.uuid
	if l.origin != "" {
		t.out.session, t.out.copied = l.origin, line
	}
	if _, known := t.byUUID[l.uuid]; known {
		t.out.repeated.add(line)
		return
	}
	if t.tail && (l.starts || l.compacts) {
		_, known := t.byUUID[l.parent]
		known = known && l.parent != root
		first := len(t.nodes) == 1 && t.before == ""
		t.whole = t.whole && !l.compacts && (known || first || l.parent == t.before)
	}
	t.add(l, line)
}

func (t *treeReader) add(l link, line int) {
	t.byUUID[l.uuid] = len(t.nodes)
	t.nodes = append(t.nodes, node{line: line, last: line, parent: none, starts: l.starts})
	t.parents = append(t.parents, l.parent)
}

func (t *treeReader) tree() Tree {
	t.connect()
	for i := range t.nodes {
		t.takeBackChildren(t.nodes[i])
	}
	for _, n := range t.nodes[1:] {
		if n.takenBack {
			t.out.takenBack.add(n.line)
		}
	}
	return t.out
}

// connect finds the parent and the children of each node, and the last line below it. Parents mostly precede their
// children, but not always: the lines are propagated upwards until none changes.
func (t *treeReader) connect() {
	for i := 1; i < len(t.nodes); i++ {
		parent, known := t.byUUID[t.parents[i]]
		if known && parent != i && (parent > 0 || t.nodes[i].starts) {
			t.nodes[i].parent = parent
			t.nodes[parent].children = append(t.nodes[parent].children, i)
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(t.nodes) - 1; i > 0; i-- {
			if n := t.nodes[i]; n.parent != none && t.nodes[n.parent].last < n.last {
				t.nodes[n.parent].last, changed = n.last, true
			}
		}
	}
}

// takeBackChildren marks the children that were abandoned for a later prompt.
func (t *treeReader) takeBackChildren(of node) {
	start := 0 // line of the last child with which the conversation continues
	for _, child := range of.children {
		if t.nodes[child].starts {
			start = max(start, t.nodes[child].line)
		}
	}
	for _, child := range of.children {
		if t.nodes[child].last < start {
			t.takeBack(child)
		}
	}
}

func (t *treeReader) takeBack(i int) {
	for queue := []int{i}; len(queue) > 0; queue = queue[1:] {
		if n := &t.nodes[queue[0]]; !n.takenBack {
			n.takenBack = true
			queue = append(queue, n.children...)
		}
	}
}

// link contains the fields that connect a record with others.
type link struct {
	uuid, parent string
	origin       string // the session of the original of a copied answer
	starts       bool   // the conversation continues here: a prompt, or a compaction of all of it
	compacts     bool   // the record belongs to a compaction
}

// readLink decodes only the fields of a record that connect it: every line of a file is read, and most of it is text.
func readLink(line []byte) (l link) {
	if !bytes.Contains(line, []byte(`"uuid"`)) {
		return link{}
	}
	var key []byte
	var logical, session string
	var user, hidden, boundary bool
	for t := json.NewTokenizer(line); t.Next(); {
		if t.IsKey && t.Depth == 1 {
			if key = t.String(); string(key) == "compactMetadata" {
				l.compacts, boundary = true, !bytes.Contains(line, []byte(`"messagesSummarized"`))
			}
		}
		if t.IsKey || t.Depth != 1 || t.Delim != 0 {
			continue
		}
		switch string(key) {
		case "uuid":
			l.uuid = string(t.String())
		case "parentUuid":
			if l.parent = string(t.String()); t.Value.Null() {
				l.parent = root
			}
		case "logicalParentUuid":
			logical = string(t.String())
		case "sessionId":
			session = string(t.String())
		case "requestSessionId":
			l.origin = string(t.String())
		case "type":
			user = string(t.String()) == "user"
		case "isSidechain":
			hidden = hidden || t.Bool()
		case "isCompactSummary":
			l.compacts = l.compacts || t.Bool()
		case "isMeta": // except for the client's text before a local command
			hidden = hidden || t.Bool() && !bytes.Contains(line, []byte("<local-command-caveat>"))
		}
	}
	if logical != "" && (l.parent == "" || l.parent == root) {
		l.parent = logical
	}
	if l.origin == session || !ValidSessionID(l.origin) {
		l.origin = ""
	}
	l.starts = boundary || user && !hidden && !l.compacts && !bytes.Contains(line, []byte(`"tool_result"`))
	return l
}
