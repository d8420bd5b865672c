package redacttest

import (
	"encoding/json"
	"fmt"
	"io"
)

// Form is one way in which people leave a secret, as an entry of a file of forms: one object a line.
type Form struct {
	Name    string `json:"form"`
	Carrier string `json:"carrier"` // where it occurs: prompt, output, file, note, commit, path or forge
	Text    string `json:"text"`    // with the secret between « and », and shapes in braces
}

// ReadForms reads a file of forms.
func ReadForms(r io.Reader) ([]Form, error) {
	var all []Form
	for d := json.NewDecoder(r); d.More(); {
		var f Form
		if err := d.Decode(&f); err != nil {
			return nil, fmt.Errorf("form %d: %w", len(all)+1, err)
		}
		all = append(all, f)
	}
	return all, nil
}

// Plant draws n secrets of a form; the same seed gives the same ones.
func (f Form) Plant(seed uint64, n int) []Secret {
	d := &drawer{seed}
	all := make([]Secret, n)
	for i := range all {
		all[i] = d.placed(place{f.Name, f.Carrier, f.Text})
	}
	return all
}
