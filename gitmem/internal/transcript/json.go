package transcript

import (
	"bytes"
	"encoding/json"

	fast "github.com/segmentio/encoding/json"
)

// mostNested is how deep [json.Unmarshal] reads; the faster decoder has no such bound.
const mostNested = 10_000

// unmarshal is [json.Unmarshal] by a decoder that takes a third of the time: most of what indexing a
// transcript reads is decoded twice. Whatever it does not take is left to the other one, as is what may be nested
// too deep. A raw part of v is a part of raw.
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
