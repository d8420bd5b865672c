package agent

import "testing"

func TestQuotes(t *testing.T) {
	t.Parallel()
	const text = "Redis was only kept\n  for sessions, and they fit in memory. Nobody missed it."
	for excerpt, want := range map[string]bool{
		"Redis was only kept for sessions":     true,
		`"they fit  in memory."`:               true,
		"Redis was only kept … Nobody missed…": true,
		"Redis was kept":                       false,
		"Redis was only kept … Kafka":          false,
		"Nobody missed it … Redis was only":    false,
		"Redis":                                false,
		"":                                     false,
		" … ":                                  false,
	} {
		if got := quotes(text, excerpt, leastPart); got != want {
			t.Errorf("%q: %v", excerpt, got)
		}
	}
}

func TestUnsupported(t *testing.T) {
	t.Parallel()
	const source = "Drop Redis: sessions fit in memory\nRedis was only kept for sessions (#12). Ada Example 2024-03-01 " +
		"1 March v1.2.0 git:commit:7aa31ff0123456789"
	for claim, want := range map[string]string{
		"Redis was dropped since sessions fit in memory.": "",
		"Ada Example dropped Redis in v1.2.0 (#12).":      "",
		"Redis was dropped in v1.3.0.":                    "v1.3.0",
		"Redis was dropped in v1.0.2.":                    "v1.0.2",
		"Redis was dropped by three people.":              "three",
		"Redis was dropped with #13.":                     "13",
		"The licence became too expensive for us.":        `most of the words of "The licence became too expensive for us."`,
		"Commit 7aa31ff dropped Redis on 1 March 2024.":   "",
		"Commit 7aa31fe dropped Redis.":                   "7aa31fe",
		"```Aliens ate the manager, he insulted everyone": `most of the words of "` + "```" +
			`Aliens ate the manager, he insulted everyone"`,
		"": "",
	} {
		if got := unsupported(claim, source); got != want {
			t.Errorf("%q: %q", claim, got)
		}
	}
}

func TestLayersOf(t *testing.T) {
	t.Parallel()
	got := layersOf(`{"layer":"team"},{\"layer\":\"memory\"},{"layer":"team"}`)
	if len(got) != 2 || got[0] != "team" || got[1] != "memory" {
		t.Errorf("%v", got)
	}
}
