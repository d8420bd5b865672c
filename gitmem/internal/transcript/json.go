package transcript

import (
	"bytes"
	"encoding/json"

	fast "github.com/segmentio/encoding/json"
)

// mostNested is the nesting limit of [json.Unmarshal]; the faster decoder has none.
const mostNested = 10_000

// unmarshal is [json.Unmarshal] with a decoder that takes a third of the time: indexing decodes most of a transcript
// twice. Input that the fast decoder rejects, or that may be nested too deeply, goes to the other one. A RawMessage in
// v refers to the bytes of raw.
func unmarshal[T any](raw []byte, v *T) error {
	if bytes.Count(raw, []byte("{"))+bytes.Count(raw, []byte("[")) < mostNested {
		var got T
		if rest, err := fast.Parse(raw, &got, fast.DontCopyRawMessage); err == nil && len(rest) == 0 {
			*v = got
			return nil
		}
	}
	return json.Unmarshal(raw, v)
}
