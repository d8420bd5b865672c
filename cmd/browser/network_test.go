package browser

import (
	"encoding/json"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
)

// netLog is the network log of a browser.
type netLog struct {
	Constants struct{ LogEventTypes map[string]int }
	Events    []struct {
		Type   int
		Params json.RawMessage // an object, or nothing
	}
}

// stayed fails a test whose browser sent a request to another machine, or looked up a name, at any time.
func stayed(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Errorf("the browser left no log of its network: %v", err)
		return
	}
	var log netLog
	if err := json.Unmarshal(text, &log); err != nil {
		cut := strings.TrimRight(strings.TrimSpace(string(text)), ",") // it ended before the log was complete
		if err := json.Unmarshal([]byte(cut+"]}"), &log); err != nil {
			t.Errorf("the log of the network: %v", err)
			return
		}
	}
	types := log.Constants.LogEventTypes
	asked, looked := types["URL_REQUEST_START_JOB"], types["HOST_RESOLVER_MANAGER_REQUEST"]
	var own int
	var elsewhere []string
	for _, e := range log.Events {
		var params struct{ URL, Host string }
		if e.Type != asked && e.Type != looked || json.Unmarshal(e.Params, &params) != nil || params.URL+params.Host == "" {
			continue
		}
		if loopback(params.URL + params.Host) {
			own++
		} else {
			elsewhere = append(elsewhere, params.URL+params.Host)
		}
	}
	slices.Sort(elsewhere)
	if elsewhere = slices.Compact(elsewhere); len(elsewhere) > 0 {
		t.Errorf("the browser went elsewhere: %q", elsewhere)
	}
	if own == 0 {
		t.Errorf("%d events of the network hold no request at all", len(log.Events))
	}
	t.Logf("network: %d requests and names on this machine, %d elsewhere", own, len(elsewhere))
}

// loopback reports whether an address, or a name with or without a port, is of this machine. Requests of the
// browser to its vendor, which it sends on any page, are ignored.
func loopback(address string) bool {
	address, _, _ = strings.Cut(address, "#")
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		u = &url.URL{Scheme: strings.SplitN(address, ":", 2)[0], Host: address}
	}
	ip, name := net.ParseIP(u.Hostname()), u.Hostname()
	own := func(maker string) bool { return strings.HasSuffix(name, maker) }
	return ip != nil && ip.IsLoopback() || name == "localhost" || name == "rebound.example" || name == "~notfound" ||
		slices.Contains([]string{"data", "chrome", "devtools", "about", "chrome-extension"}, u.Scheme) ||
		slices.ContainsFunc([]string{".google.com", ".googleapis.com", ".gvt1.com"}, own)
}
