package config

import (
	"fmt"
	"reflect"
	"slices"
)

// Misplaced is a key in config.yaml that is only valid in local.yaml.
type Misplaced struct {
	Key  string
	Line int
}

// sharedKeys returns the keys that are harmless regardless of who writes them.
func sharedKeys() []string {
	return []string{"expand", "keep_transcripts", "recall", "recall_notice", "fetch_wait", "sync"}
}

// ParseShared parses a config.yaml, which another machine may have written. Of the keys that name a command, an address
// or a back end, or control capture, it uses only restricting values, such as capture: off, agent: off and the rules of
// exclude. It returns these keys in addition to the configuration.
func ParseShared(src []byte) (Config, []Misplaced, error) {
	said, err := Parse(src)
	if err != nil {
		return Config{}, nil, err
	}
	c := Default()
	c.Capture, c.Exclude, c.IndexTools = said.Capture, said.Exclude, said.IndexTools
	c.Embed.Off, c.Agent.Off, c.Forges.Off = said.Embed.Off, said.Agent.Off, said.Forges.Off
	c.Expand, c.KeepTranscripts, c.FetchWait = said.Expand, said.KeepTranscripts, said.FetchWait
	c.Recall, c.RecallNotice, c.SyncAuto = said.Recall, said.RecallNotice, said.SyncAuto
	var misplaced []Misplaced
	if top, _ := document(src); top != nil { // parsed successfully above
		for pair := range slices.Chunk(merged(top), 2) {
			if !slices.Contains(sharedKeys(), pair[0].Value) {
				misplaced = append(misplaced, Misplaced{pair[0].Value, pair[0].Line})
			}
		}
	}
	return c, misplaced, nil
}

// Move moves the misplaced keys of a config.yaml with their lines to a local.yaml, so that the combined configuration
// stays the same. The error is ErrByHand if both files contain a key, or if its text cannot be cut out.
func Move(shared, local []byte) (newShared, newLocal []byte, err error) {
	_, misplaced, err := ParseShared(shared)
	if err != nil {
		return nil, nil, err
	}
	newShared, newLocal = shared, slices.Clone(local)
	for _, m := range misplaced {
		if _, there := cutKey(local, m.Key); there != nil {
			return nil, nil, fmt.Errorf("%w: %s is in config.yaml and in local.yaml: "+
				"remove it from config.yaml yourself", ErrByHand, m.Key)
		}
		var cut []byte
		newShared, cut = cutKey(newShared, m.Key)
		newLocal = appendLines(newLocal, string(cut))
	}
	all, _ := Parse(shared) // parsed successfully above
	want, err := all.With(local)
	if err != nil {
		return nil, nil, err
	}
	rest, left, err := ParseShared(newShared)
	if err == nil && len(left) == 0 {
		rest, err = rest.With(newLocal)
	}
	if err != nil || len(left) > 0 || !reflect.DeepEqual(rest, want) {
		return nil, nil, fmt.Errorf("%w: move the keys to local.yaml yourself", ErrByHand)
	}
	return newShared, newLocal, nil
}
