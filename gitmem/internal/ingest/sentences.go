package ingest

import (
	"context"
	"sync"

	"github.com/gitmem/gitmem/gitmem/internal/embed"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/internal/slice"
)

// ideaHead is the head of the classifier for ideas.
const ideaHead = 0

// sentences is the built-in model that classifies sentences, opened on first use.
type sentences struct {
	encoder, file []byte // or nil
	once          sync.Once
	model         *embed.Classifier
	err           error
}

func (s *sentences) open() (*embed.Classifier, error) {
	s.once.Do(func() {
		var e *embed.Encoder
		if e, s.err = embed.OpenEncoder(s.encoder); s.err == nil {
			s.model, s.err = e.OpenClassifier(s.file)
		}
	})
	return s.model, s.err
}

// Judge has the built-in model find the ideas of a session, if it exists and is not off. It takes ten to twenty
// milliseconds for each sentence of d, so hooks must not call it.
func (src *Sources) Judge(ctx context.Context, d *transcript.Digest) error {
	policy := src.ws.Policy()
	if policy.Err != nil || policy.Config.Embed.Off || src.sentences.file == nil {
		return nil
	}
	c, err := src.sentences.open()
	if err != nil {
		return err
	}
	list := slice.Map(d.Sentences(), func(s transcript.Sentence) embed.Passage { return embed.Passage(s) })
	probable, err := c.Classify(ctx, ideaHead, list)
	if err == nil {
		d.Judge(probable)
	}
	return err
}
