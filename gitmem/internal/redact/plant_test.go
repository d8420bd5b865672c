package redact_test

import "strings"

// Planted secrets are concatenated at run time, so that repository scanners do not report this file as a leak.

const (
	randomToken = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7d" // 40 letters and digits
	randomUpper = "Q3T5W7Y2U4I6O2P3A5S7D2F4"
	randomHex   = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
)

// plant is one secret with the kind under which it must be found.
type plant struct{ kind, secret string }

// tokenPlants returns secrets that are identified by their format.
func tokenPlants() []plant {
	p := func(kind string, parts ...string) plant { return plant{kind, strings.Join(parts, "")} }
	return []plant{
		p("aws-access-key-id", "AK", "IA", randomUpper[:16]),
		p("aws-access-key-id", "AS", "IA", randomUpper[:16]),
		p("github-token", "gh", "p_", randomToken[:36]),
		p("github-token", "gh", "o_", randomToken[:36]),
		p("github-token", "gh", "u_", randomToken[:36]),
		p("github-token", "gh", "s_", randomToken[:36]),
		p("github-token", "gh", "r_", randomToken[:36]),
		p("github-token", "github", "_pat_", randomToken[:22], "_", randomToken, randomToken[:19]),
		p("gitlab-token", "glp", "at-", randomToken[:20]),
		p("slack-token", "xo", "xb-", "123456789012-123456789012-", randomToken[:24]),
		p("slack-token", "xo", "xp-", "123456789012-", randomToken[:24]),
		p("slack-token", "xo", "xa-2-", "123456789012-", randomToken[:24]),
		p("slack-token", "xo", "xr-", randomToken[:24]),
		p("slack-token", "xo", "xs-", randomToken[:24]),
		p("google-api-key", "AI", "za", randomToken[:35]),
		p("google-oauth", "GOC", "SPX-", randomToken[:28]),
		p("stripe-key", "sk", "_live_", randomToken[:24]),
		p("stripe-key", "rk", "_test_", randomToken[:24]),
		p("openai-key", "sk", "-", randomToken, "12345678"),
		p("openai-key", "sk", "-proj-", randomToken, "-", randomToken, "_", randomToken),
		p("anthropic-key", "sk", "-ant-api03-", randomToken, "-", randomToken, "_", randomToken[:13], "AA"),
		p("npm-token", "np", "m_", randomToken[:36]),
		p("pypi-token", "py", "pi-AgEIcHlwaS5vcmcCJ", randomToken, randomToken),
		p("huggingface-token", "h", "f_", randomToken[:34]),
		p("sendgrid-key", "S", "G.", randomToken[:22], ".", randomToken, "abc"),
		p("digitalocean-token", "do", "p_v1_", randomHex),
		p("docker-token", "dc", "kr_pat_", randomToken[:27]),
		p("vault-token", "hv", "s.", randomToken, randomToken),
		p("jwt", "ey", "JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", ".", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", ".", randomToken),
		p("jwt", "ey", "JhbGciOiJub25lIn0", ".", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", ".x"),
		p("private-key", pem("RSA ", "\n")),
		p("private-key", pem("", "\n")),
		p("private-key", pem("OPENSSH ", "\r\n")),
		p("private-key", pem("EC ", `\n`)),
		p("private-key", pem("", `\\n`)),
	}
}

// pem returns a private key of three lines, joined by br.
func pem(label, br string) string {
	return strings.Join([]string{"-----BEGIN " + label + "PRIVATE KEY-----", randomToken + randomToken[:24],
		randomToken[:24] + randomToken, randomToken[:9] + "==", "-----END " + label + "PRIVATE KEY-----"}, br)
}
