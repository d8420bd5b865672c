package main

import (
	"encoding/json"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// The JSON of models and of embeddings is a contract like that of answers.
func TestModelContracts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		value any
		want  fields
	}{
		{"model list", gitmem.Model{}, fields{
			"name": "string", "bytes": "number", "dimensions": "number", "tokens": "number", "fingerprint": "string",
			"source": "string", "revision": "string", "in_use": "bool", "error": "string",
		}},
		{"model embed", gitmem.Embedded{}, fields{"name": "string", "texts": "number", "embedded": "number",
			"added": "number"}},
	} {
		b, err := json.Marshal(tt.value)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(b, &v); err != nil {
			t.Fatal(err)
		}
		for _, complaint := range complaints(tt.name, v, tt.want) {
			t.Error(complaint)
		}
	}
}
