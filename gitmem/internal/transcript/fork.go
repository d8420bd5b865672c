package transcript

import (
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"time"
)

// SkipRepeated yields the messages whose keys are not among those that another session had
// before.
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

// FirstMessageKey names the first message of a transcript, "" where there is none: the client
// begins a fork with a copy of the messages before, so that both have one stem.
func FirstMessageKey(file string) (string, error) {
	for msg, err := range All(file) {
		return MessageKey(msg), err
	}
	return "", nil
}

// MessageKey names a message across copies: ids may be given anew, times are not.
func MessageKey(msg Message) string {
	if msg.Time.IsZero() {
		return ""
	}
	return msg.Time.UTC().Format(time.RFC3339Nano) + " " + string(msg.Role) + " " + TextHash(msg.Text)
}

// SharedWithOlder lists the messages that a transcript shares with another one, if
// that one went on first or has nothing else.
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
		older = other < file // two copies: one of them counts
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

// firstOwn is the time of the first message of one transcript that another lacks.
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

// TextHash is a short name of a text: eight hexadecimal digits.
func TextHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}
