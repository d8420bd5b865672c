package forge

import "testing"

func TestEnterpriseAPI(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"git.corp.example": "https://git.corp.example/api/v3", "acme.ghe.com": "https://api.acme.ghe.com", "ghe.com.evil.example": "https://ghe.com.evil.example/api/v3",
	} {
		if got := enterpriseAPI(host); got != want {
			t.Errorf("%s: %s, want %s", host, got, want)
		}
	}
}
