package index

import (
	"sync"

	"github.com/blevesearch/bleve/v2/document"
)

const (
	// Limits of a job, which a worker analyses at a time: documents and bytes of text.
	jobDocs    = 128
	jobBytes   = 1 << 18
	maxWorkers = 4
)

// indexer converts documents to bleve documents: the caller passes batches to workers, and their results are written in
// the order of the input.
type indexer struct {
	job     *job
	text    int       // bytes of the job
	jobs    chan *job // to the workers
	queue   chan *job // the same, to the writer
	workers sync.WaitGroup
	written chan error
	lengths [fields][]uint32
}

// job is a batch of documents.
type job struct {
	serials []uint32
	docs    []Doc
	made    []*document.Document
	lengths [][fields]uint32
	ready   chan struct{} // closed when they are done
}

func newJob() *job { return &job{ready: make(chan struct{})} }

// newIndexer starts the workers and the writer; drain ends them.
func newIndexer(workers int, out bleveWriter) *indexer {
	workers = max(1, min(workers, maxWorkers))
	x := &indexer{job: newJob(), jobs: make(chan *job, workers), queue: make(chan *job, workers),
		written: make(chan error, 1)}
	for range workers {
		x.workers.Go(func() {
			a := newAnalyzer()
			for j := range x.jobs {
				j.analyze(a)
			}
		})
	}
	go func() { x.written <- x.write(out) }()
	return x
}

// add adds the next document.
func (x *indexer) add(serial uint32, d *Doc) {
	x.job.serials, x.job.docs = append(x.job.serials, serial), append(x.job.docs, *d)
	x.text += len(d.Text) + len(d.DiffTerms)
	if len(x.job.docs) >= jobDocs || x.text >= jobBytes {
		x.deal()
	}
}

func (x *indexer) deal() {
	if len(x.job.docs) > 0 {
		x.queue <- x.job
		x.jobs <- x.job
		x.job, x.text = newJob(), 0
	}
}

func (j *job) analyze(a *analyzer) {
	for i := range j.docs {
		d, lengths := a.document(j.serials[i], &j.docs[i])
		j.made, j.lengths = append(j.made, d), append(j.lengths, lengths)
	}
	j.docs = nil
	close(j.ready)
}

// write writes the results of the workers. After an error it only discards the rest.
func (x *indexer) write(out bleveWriter) (err error) {
	for j := range x.queue {
		<-j.ready
		for i, d := range j.made {
			if err == nil {
				err = out.add(d)
			}
			for f := range x.lengths {
				x.lengths[f] = append(x.lengths[f], j.lengths[i][f])
			}
		}
	}
	return err
}

// drain waits until all documents are written and returns the lengths of their fields.
func (x *indexer) drain() (*[fields][]uint32, error) {
	x.deal()
	close(x.jobs)
	close(x.queue)
	x.workers.Wait()
	return &x.lengths, <-x.written
}
