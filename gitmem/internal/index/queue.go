package index

import "sync"

// queued puts an engine behind a queue, so that documents are analysed while
// bleve makes a segment of earlier ones. It is for additions only.
type queued struct {
	engine
	ops    chan queuedDoc
	stop   sync.Once
	ended  chan struct{} // closed when the queue is worked off
	failed chan struct{} // closed on the first error
	err    error         // set before failed is closed
}

type queuedDoc struct {
	key string
	doc *analyzed
}

func newQueued(e engine, size int) *queued {
	q := &queued{engine: e, ops: make(chan queuedDoc, size), ended: make(chan struct{}), failed: make(chan struct{})}
	go q.work()
	return q
}

func (q *queued) work() {
	defer close(q.ended)
	for op := range q.ops {
		if q.err != nil {
			continue // the rest only has to leave
		}
		if q.err = q.engine.add(op.key, op.doc); q.err != nil {
			close(q.failed)
		}
	}
}

// add queues a document. An error may be that of an earlier one.
func (q *queued) add(key string, a *analyzed) error {
	select {
	case q.ops <- queuedDoc{key, a}:
		return nil
	case <-q.failed:
		return q.err
	}
}

func (q *queued) drain() {
	q.stop.Do(func() { close(q.ops) })
	<-q.ended
}

func (q *queued) close() error {
	q.drain()
	if q.err != nil {
		return q.err
	}
	return q.engine.close()
}

func (q *queued) abort() {
	q.drain()
	q.engine.abort()
}
