package agent

import (
	"cmp"

	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/gitmem/internal/modelapi"
)

// server is the server of a configuration's model. Keys are read from the environment
// alone.
func (a *Agent) server(conf config.Agent) modelapi.Server {
	getenv, now := a.ws.Options.Getenv, a.ws.Options.Now
	return modelapi.Server{
		Base: conf.Endpoint, Key: cmp.Or(getenv("GITMEM_AGENT_API_KEY"), modelapi.CompanyKey(conf.Endpoint, getenv)), Timeout: conf.Time,
		Pacer: modelapi.Pacer{Now: now, Until: now().Add(conf.Time)},
	}
}
