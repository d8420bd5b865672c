package transcript

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// The results and errors are those of the standard decoder.
func TestUnmarshal(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{
		``, ` `, `{}`, `null`, `[]`, `7`, `"a"`, `{"type":"user"}`, ` {"TYPE":"user"} `, `{"type":"user"}x`,
		`{"type":"user",}`, `{"type":"us`,
		`{"type":7,"uuid":"u"}`, `{"uuid":"u","type":7,"cwd":"/x"}`, `{"type":"a","type":"b"}`, `{"type":"a","Type":"b"}`,
		`{"type":null,"uuid":"u"}`,
		`{"timestamp":null}`, `{"timestamp":1.5e3}`, `{"timestamp":{"a":[1,{"b":"c"}]}}`, `{"timestamp":01}`,
		`{"timestamp":1.}`, `{"timestamp":-}`,
		`{"message":null}`,
		`{"message":{"model":"m","content":[{"type":"text","text":"a\u00e9\ud83d\ude00\ud83d \ud83d\u0041\udead"}]}}`,
		`{"message":"m","cwd":"/x"}`, `{"message":{"content":"a` + "\t" + `b"}}`, `{"cwd":"a` + "\x7f" + `"}`,
		"{\"cwd\":\"a\xffb\xc3\\n\xe2\x82\"}",
		`{"cwd":"\x"}`, `{"cwd":"\u12"}`, `{"cwd":"\u12g4"}`, `{"isMeta":tru}`, `{"isMeta":true}`, `{"isMeta":"true"}`,
		`{"display":null}`, `{"display":"d"}`,
		`{"pastedContents":{"1":{"content":"c"},"2":null}}`, `{"pastedContents":[1]}`, `{"pastedContents":null}`,
		`{"toolUseResult":"Error: no"}`,
		`{"toolUseResult":{"totalTokens":99999999999999999999,"agentId":"a"}}`, `{"toolUseResult":{"totalTokens":1.0}}`,
		`{"toolUseResult":{"totalTokens":-7}}`,
		`{"a":` + strings.Repeat("[", 9990) + strings.Repeat("]", 9990) + `}`, `{"a":` + strings.Repeat("[", mostNested) +
			strings.Repeat("]", mostNested) + `}`,
		strings.Repeat("[", mostNested+1), strings.Repeat(`{"a":`, mostNested+1),
		`{"cwd":"ſK","ſummary":"s","origin":{"kInd":"x"}}`, "\ufeff{}", "{}\x00",
		`{"cwd" : "x" , "uuid":"y"}`, `{"cwd":"x" "uuid":"y"}`, `{"cwd":}`, `{"cwd"}`, `{:1}`, `{1:2}`, `{null:1}`, `{"":1}`,
	} {
		sameJSON[record](t, raw)
		sameJSON[[]block](t, raw)
		sameJSON[string](t, raw)
		sameJSON[map[string]json.RawMessage](t, raw)
		sameJSON[[]json.RawMessage](t, raw)
	}
}

func FuzzUnmarshal(f *testing.F) {
	f.Add(`{"type":"user","message":{"content":[{"type":"text","text":"a\ud83d"}]}}`)
	f.Fuzz(func(t *testing.T, raw string) {
		sameJSON[record](t, raw)
		sameJSON[[]block](t, raw)
		sameJSON[string](t, raw)
		sameJSON[map[string]json.RawMessage](t, raw)
	})
}

func sameJSON[T any](t *testing.T, raw string) {
	t.Helper()
	var want, got T
	wantErr, err := json.Unmarshal([]byte(raw), &want), unmarshal([]byte(raw), &got)
	if !reflect.DeepEqual(want, got) || (err == nil) != (wantErr == nil) {
		t.Errorf("%.200q:\n%+v, %v\nwant\n%+v, %v", raw, got, err, want, wantErr)
	}
}
