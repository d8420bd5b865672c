package opencode

import "fmt"

// mayBeFork reports whether the session began with messages that are older than itself.
func (s session) mayBeFork() bool {
	return s.ParentID == "" && len(s.messages) > 0 && s.messages[0].created < s.Time.Created
}

// leaveOutCopies marks the messages of a fork that one of the older sessions has and has not taken back.
func (s *session) leaveOutCopies(older []string, load func(id string) (session, error)) error {
	have := map[string]bool{}
	for _, id := range older {
		o, err := load(id)
		if err != nil {
			return err
		}
		for _, m := range o.kept() {
			have[m.key()] = true
		}
	}
	s.copied = map[string]bool{}
	for _, m := range s.messages {
		s.copied[m.id] = m.created < s.Time.Created && have[m.key()]
	}
	return nil
}

// key is equal in a message and its copies.
func (m message) key() string {
	key := fmt.Sprint(m.created, " ", m.Role, " ", m.said("text"))
	for _, p := range m.tools() {
		key += "\x00" + p.CallID
	}
	return key
}
