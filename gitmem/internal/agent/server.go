package agent

import (
	"net/url"

	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/gitmem/internal/modelapi"
)

// server is the server of a configuration's model. Keys are read from the environment
// alone: that of other programs goes to the company that gave it, and nowhere else.
func (a *Agent) server(conf config.Agent) modelapi.Server {
	key := a.ws.Options.Getenv("GITMEM_AGENT_API_KEY")
	if u, err := url.Parse(conf.Endpoint); key == "" && err == nil && u.Scheme == "https" {
		key = a.ws.Options.Getenv(map[string]string{"api.anthropic.com": "ANTHROPIC_API_KEY", "api.openai.com": "OPENAI_API_KEY"}[u.Host])
	}
	return modelapi.Server{Base: conf.Endpoint, Key: key, Timeout: conf.Time, Pacer: modelapi.Pacer{Now: a.ws.Options.Now, Until: a.ws.Options.Now().Add(conf.Time)}}
}
