package markdown

import "github.com/yuin/goldmark/text"

// blankRuns is a reader that only shows the last line of a run of blank lines and drops goldmark's finished
// top-level blocks. More than one blank line has no meaning in Markdown except inside code, which is not
// examined, but goldmark visits every open container for each.
type blankRuns struct {
	text.Reader
	s *scanner
}

// AdvanceLine moves to the next relevant line.
func (r *blankRuns) AdvanceLine() {
	r.Reader.AdvanceLine()
	_, at := r.Position()
	if !isBlank(r.s.src[min(at.Start, len(r.s.src)):at.Stop]) {
		return
	}
	for at.Stop < len(r.s.src) && isBlank(r.s.src[at.Stop:lineEnd(r.s.src, at.Stop)]) {
		r.Reader.AdvanceLine()
		_, at = r.Position()
	}
}

// SkipBlankLines is called when no block is open.
func (r *blankRuns) SkipBlankLines() (text.Segment, int, bool) {
	if r.s.doc != nil {
		r.s.doc.RemoveChildren(r.s.doc)
	}
	return r.Reader.SkipBlankLines()
}
