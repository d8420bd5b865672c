package transcript

import (
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"time"
)

// SkipRepeated yields the messages whose keys are not in repeated, the set of keys of another session.
func SkipRepeated(msgs iter.Seq2[Message, error], repeated map[string]bool) iter.Seq2[Message, error] {
	if repeated == nil {
		return msgs
	}
	return func(yield func(Message, error) bool) {
		for msg, err := range msgs {
			if err == nil && repeated[MessageKey(msg)] {
				continue
			}
			if !yield(msg, err) {
				return
			}
		}
	}
}

// FirstMessageKey returns the key of the first message of a transcript, "" if there is none. A fork begins with a copy
// of the earlier messages, so that it shares this key with its origin.
func FirstMessageKey(file string) (string, error) {
	for msg, err := range All(file) {
		return MessageKey(msg), err
	}
	return "", nil
}

// MessageKey returns a key that identifies a message across copies: ids may change, times do not.
func MessageKey(msg Message) string {
	if msg.Time.IsZero() {
		return ""
	}
	return msg.Time.UTC().Format(time.RFC3339Nano) + " " + string(msg.Role) + " " + TextHash(msg.Text)
}

// SharedWithOlder returns the keys of the messages that a transcript shares with another one, if the other one
// continued first or has no other messages.
func SharedWithOlder(file, other string) (map[string]bool, error) {
	theirs, err := keysOf(other)
	if err != nil {
		return nil, err
	}
	mine, err := keysOf(file)
	if err != nil {
		return nil, err
	}
	my, myTime := firstOwn(mine, theirs)
	their, theirTime := firstOwn(theirs, mine)
	older := !their || my && (theirTime.Before(myTime) || theirTime.Equal(myTime) && other < file)
	if !my && !their {
		older = other < file // identical copies: one of them counts
	}
	if !older {
		return nil, nil
	}
	shared := map[string]bool{}
	for key := range mine {
		if _, ok := theirs[key]; ok {
			shared[key] = true
		}
	}
	return shared, nil
}

// firstOwn returns the time of the first message of one transcript that another lacks.
func firstOwn(mine, theirs map[string]time.Time) (ok bool, at time.Time) {
	for key, t := range mine {
		if _, both := theirs[key]; !both && (!ok || t.Before(at)) {
			ok, at = true, t
		}
	}
	return ok, at
}

func keysOf(file string) (map[string]time.Time, error) {
	keys := map[string]time.Time{}
	for msg, err := range All(file) {
		if err != nil {
			return nil, err
		}
		if key := MessageKey(msg); key != "" {
			keys[key] = msg.Time
		}
	}
	return keys, nil
}

// TextHash returns a short hash of a text: eight hexadecimal digits.
func TextHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}
