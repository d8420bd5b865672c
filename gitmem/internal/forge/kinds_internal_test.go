package forge

import (
	"testing"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/github"
)

func TestEveryForgeCanBeAsked(t *testing.T) {
	t.Parallel()
	for _, f := range providers.Forges() {
		if len(f.Threads) == 0 || f.Holds == "" || f.Host == "" {
			t.Errorf("%s lacks what describes it", f.Kind)
			continue
		}
		r := Remote{Kind: f.Kind, Host: f.Host, Path: "acme/pump"}
		src, err := kindOf(r).client(r, github.Options{})
		if err != nil || src == nil || r.signIn() == "" || kindOf(r) == (jiraTracker{}) {
			t.Errorf("%s: %v", f.Kind, err)
		}
	}
}

func TestEnterpriseAPI(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"git.corp.example": "https://git.corp.example/api/v3", "acme.ghe.com": "https://api.acme.ghe.com",
		"ghe.com.evil.example": "https://ghe.com.evil.example/api/v3",
	} {
		if got := enterpriseAPI(host); got != want {
			t.Errorf("%s: %s, want %s", host, got, want)
		}
	}
}
