package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/templates"
)

// Inputs of the tools of data access.
type (
	dataQuery struct {
		Query     string `json:"query"`
		Layer     string `json:"layer,omitempty" jsonschema:"all, or of rules,memory,summaries,transcripts,team"`
		Limit     int    `json:"limit,omitempty" jsonschema:"1 to 50, default 10"`
		Expansion string `json:"expansion,omitempty" jsonschema:"none, minimal, full"`
	}
	sessionsInput struct {
		Limit   int    `json:"limit,omitempty" jsonschema:"default 5"`
		Project string `json:"project,omitempty"`
	}
	grepInput struct {
		Pattern string `json:"pattern" jsonschema:"literal text"`
		Limit   int    `json:"limit,omitempty" jsonschema:"default 20"`
	}
)

// Results of the tools of data access. Their JSON, and that of the library's types in them,
// is a public contract: fields are added, never renamed or removed, and lists are never null.
type (
	dataResults struct {
		Results             []dataResult      `json:"results"`
		StrategiesAttempted []string          `json:"strategiesAttempted"`
		StrategiesSucceeded []string          `json:"strategiesSucceeded"`
		Confidence          gitmem.Confidence `json:"confidence"`
		FallbacksUsed       []string          `json:"fallbacksUsed"`
		Reasons             map[string]string `json:"reasons"` // why a strategy was not successful
		Suggestions         []string          `json:"suggestions"`
		Caveats             []string          `json:"caveats"`
	}
	dataResult struct {
		ID        string       `json:"id"`
		Content   string       `json:"content"`
		Score     float64      `json:"score"`
		Layer     string       `json:"layer"`
		BrowseURL string       `json:"browseUrl"`
		Metadata  dataMetadata `json:"metadata"`
	}
	dataMetadata struct {
		SessionID  string   `json:"sessionId"`
		MessageID  string   `json:"messageId"`
		LineNumber int      `json:"lineNumber"`
		Topics     []string `json:"topics"`
	}
	dataGrepped struct {
		Results []dataResult `json:"results"`
		Caveats []string     `json:"caveats"`
	}
	dataLayers struct {
		Layers  []gitmem.Layer `json:"layers"`
		Caveats []string       `json:"caveats"`
	}
	dataSessions struct {
		Sessions []gitmem.RecentSession `json:"sessions"`
	}
)

// mostData limits the results of one call.
const mostData = 50

// Data serves the tools for a model that researches memory: it chooses how to search, and gets JSON. All
// tools are read-only.
func Data(ctx context.Context, env Env) error {
	s := newServer(env, "gitmem-memory", templates.DataInstructions())
	s.addDataTools()
	return s.run(ctx)
}

// A dataTool is a search with certain strategies.
type dataTool struct {
	name, description string
	strategies        []string
	expansion         string // unless the call names one
	fallbacks         bool
	folder            string // of documents that are a separate layer
}

func dataTools() []dataTool {
	all := []string{"direct", "named", "expanded", "during", "semantic", "summaries"}
	return []dataTool{
		{name: "memory_search_fts", description: "Search by the words of the query", strategies: all[:1], expansion: "none"},
		{name: "memory_search_vector", description: "Search by meaning alone", strategies: []string{"semantic"}},
		{name: "memory_search_hybrid", description: "Search by words and by meaning, fused",
			strategies: []string{"direct", "semantic"}, expansion: "none"},
		{name: "memory_search_multi_strategy",
			description: "Search by all strategies, fused: direct, expanded, semantic, summaries", strategies: all},
		{name: "memory_search_with_fallbacks",
			description: "As memory_search_multi_strategy; if that finds nothing, recent sessions, grep, and how to ask " +
				"otherwise. Begin with this", strategies: all, fallbacks: true},
		{name: "search_blueprints", description: "Search the repository's blueprints: documents on what its parts do",
			strategies: all, folder: "blueprints"},
	}
}

func (s *server) addDataTools() {
	for _, t := range dataTools() {
		addTool(s, definition{name: t.name, description: t.description, arguments: map[string]string{"expand": "expansion"}},
			func(ctx context.Context, m *gitmem.Memory, in dataQuery) (string, error) {
				return s.dataSearch(ctx, m, t, in)
			})
	}
	addTool(s, definition{name: "memory_list_layers", description: "What there is to search, by layer"}, s.dataLayers)
	addTool(s, definition{name: "memory_scan_recent_sessions", description: "The last sessions, newest first"},
		s.dataSessions)
	addTool(s, definition{name: "memory_grep_transcripts",
		description: "Find literal text in raw transcripts, in any case"}, s.dataGrep)
}

func (s *server) dataSearch(ctx context.Context, m *gitmem.Memory, t dataTool, in dataQuery) (string, error) {
	query := plainQuery(in.Query)
	if query == "" {
		return "", fmt.Errorf("%w: query: expected words to search for", gitmem.ErrUsage)
	}
	limit, err := bounded(in.Limit, 10, mostData)
	if err != nil {
		return "", err
	}
	if in.Expansion != "" && in.Expansion != "none" && slices.Contains(t.strategies, "direct") &&
		!slices.Contains(t.strategies, "expanded") {
		t.strategies = append(slices.Clone(t.strategies), "expanded")
	}
	f := gitmem.Filter{Limit: limit, Expand: cmp.Or(in.Expansion, t.expansion, "minimal"), Strategies: t.strategies,
		NoFallbacks: !t.fallbacks, Except: s.session(ctx, m)}
	if f.Layer = in.Layer; strings.TrimSpace(in.Layer) == "all" {
		f.Layer = ""
	}
	if t.folder != "" {
		f.Path, f.Type = []string{t.folder + "/"}, "idea,decision" // and not the commits that changed them
	}
	res, err := m.Search(ctx, query, f)
	if err != nil {
		return "", err
	}
	if len(res.Hits) == 0 {
		res.Hits = res.Leads
	}
	for i := range res.Hits {
		res.Hits[i].Layer = cmp.Or(t.folder, res.Hits[i].Layer)
	}
	return s.dataJSON(resultsOf(res))
}

func resultsOf(res gitmem.Results) dataResults {
	out := dataResults{Confidence: res.Confidence, FallbacksUsed: res.Used, Reasons: map[string]string{},
		Suggestions: res.Suggestions, Caveats: res.Caveats}
	for _, st := range res.Strategies {
		out.StrategiesAttempted = append(out.StrategiesAttempted, st.Name)
		if st.OK {
			out.StrategiesSucceeded = append(out.StrategiesSucceeded, st.Name)
		} else {
			out.Reasons[st.Name] = st.Error
		}
	}
	for i, hint := range out.Suggestions {
		out.Suggestions[i] = definition{}.inArguments(hint)
	}
	for i, h := range res.Hits {
		content := message(h, []int{1500, 1500, 1500, 600}[min(i, 3)]) // the model has no other access to a source
		if h.Source != "transcript" {                                  // its title is the speaker
			content = strings.TrimSpace(h.Title + "\n" + content)
		}
		out.Results = append(out.Results, dataResult{
			ID: h.ID, Content: content, Score: h.Score, Layer: h.Layer, BrowseURL: h.BrowseURL,
			Metadata: dataMetadata{SessionID: h.Session, MessageID: h.UUID, LineNumber: h.Line, Topics: h.Topics},
		})
	}
	return out
}

func (s *server) dataLayers(ctx context.Context, m *gitmem.Memory, _ noInput) (string, error) {
	layers, caveats, err := m.Data().Layers(ctx, gitmem.Filter{})
	if err != nil {
		return "", err
	}
	return s.dataJSON(dataLayers{layers, caveats})
}

func (s *server) dataSessions(ctx context.Context, m *gitmem.Memory, in sessionsInput) (string, error) {
	limit, err := bounded(in.Limit, 5, mostData)
	if err != nil {
		return "", err
	}
	sessions, err := m.Data().Sessions(ctx, gitmem.Filter{Limit: limit, Project: in.Project, Except: s.session(ctx, m)})
	if err != nil {
		return "", err
	}
	return s.dataJSON(dataSessions{sessions})
}

func (s *server) dataGrep(ctx context.Context, m *gitmem.Memory, in grepInput) (string, error) {
	limit, err := bounded(in.Limit, 20, mostData)
	if err != nil {
		return "", err
	}
	res, err := m.Data().Grep(ctx, in.Pattern, gitmem.Filter{Limit: limit, Except: s.session(ctx, m)})
	if err != nil {
		return "", err
	}
	return s.dataJSON(dataGrepped{resultsOf(res).Results, res.Caveats})
}

var jsonText = lazy.Pattern(`"(?:[^"\\]|\\.)*"|null`)

// dataJSON encodes a result on one line. It cleans each text separately, because a model may read them so,
// and encoded control characters would not be found.
func (s *server) dataJSON(v any) (string, error) {
	text, err := encoded(v)
	return jsonText().ReplaceAllStringFunc(text, func(value string) string {
		var raw string
		if value == "null" {
			return "[]"
		}
		_ = json.Unmarshal([]byte(value), &raw) // it was encoded before
		value, _ = encoded(s.env.Clean(raw))    // the error is always nil for a string
		return value
	}), err
}

func encoded(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSpace(b.String()), err
}
