package redact

import "strings"

// judged is how many bytes of a value decide whether it is a secret. What is
// found is then taken to its end; the bound keeps refusals cheap, so that a
// long run full of first words cannot make the work quadratic.
const judged = 256

// token is a credential that announces itself by a fixed beginning.
type token struct {
	kind   string
	prefix string // in its exact case
	class  class  // what follows
	min    int    // how much of it at least
	// bound: the byte before must be no letter and no digit, because the
	// beginning is short enough to occur inside other words.
	bound bool
	// keep: the beginning is an address and stays readable.
	keep  bool
	check func(body string) bool
}

// tokens lists the forms that their issuers document, or that their scanners
// publish. Longer beginnings of one issuer come before shorter ones.
func tokens() []token {
	return []token{
		{kind: "aws-access-key-id", prefix: "AKIA", class: upper, min: 16, bound: true},
		{kind: "aws-access-key-id", prefix: "ASIA", class: upper, min: 16, bound: true},
		{kind: "aws-access-key-id", prefix: "ABIA", class: upper, min: 16, bound: true},
		{kind: "aws-access-key-id", prefix: "ACCA", class: upper, min: 16, bound: true},
		{kind: "github-token", prefix: "ghp_", class: alnum, min: 30},
		{kind: "github-token", prefix: "gho_", class: alnum, min: 30},
		{kind: "github-token", prefix: "ghu_", class: alnum, min: 30},
		{kind: "github-token", prefix: "ghs_", class: dotted, min: 30},
		{kind: "github-token", prefix: "ghr_", class: alnum, min: 30},
		{kind: "github-token", prefix: "github_pat_", class: word, min: 22},
		{kind: "gitlab-token", prefix: "glpat-", class: dotted, min: 20},
		{kind: "gitlab-token", prefix: "gldt-", class: dashed, min: 20, bound: true},
		{kind: "gitlab-token", prefix: "glrt-", class: dotted, min: 20, bound: true},
		{kind: "gitlab-token", prefix: "glptt-", class: dashed, min: 20, bound: true},
		{kind: "gitlab-token", prefix: "glcbt-", class: dashed, min: 20, bound: true},
		{kind: "gitlab-token", prefix: "glsoat-", class: dashed, min: 20, bound: true},
		{kind: "slack-token", prefix: "xoxa-", class: dashed, min: 10},
		{kind: "slack-token", prefix: "xoxb-", class: dashed, min: 10},
		{kind: "slack-token", prefix: "xoxp-", class: dashed, min: 10},
		{kind: "slack-token", prefix: "xoxr-", class: dashed, min: 10},
		{kind: "slack-token", prefix: "xoxs-", class: dashed, min: 10},
		{kind: "slack-token", prefix: "xoxe-", class: dashed, min: 10},
		{kind: "slack-token", prefix: "xoxe.xox", class: dashed, min: 10},
		{kind: "slack-token", prefix: "xapp-", class: dashed, min: 20, bound: true, check: hasDigit},
		{kind: "slack-webhook", prefix: "hooks.slack.com/services/", class: path, min: 16, keep: true},
		{kind: "slack-webhook", prefix: "hooks.slack.com/workflows/", class: path, min: 16, keep: true},
		{kind: "slack-webhook", prefix: "hooks.slack.com/triggers/", class: path, min: 16, keep: true},
		{kind: "discord-webhook", prefix: "discord.com/api/webhooks/", class: path, min: 30, keep: true},
		{kind: "google-api-key", prefix: "AIza", class: dashed, min: 35, bound: true},
		{kind: "google-oauth", prefix: "GOCSPX-", class: dashed, min: 20, bound: true},
		{kind: "google-oauth", prefix: "ya29.", class: dotted, min: 20, bound: true},
		{kind: "stripe-key", prefix: "sk_live_", class: alnum, min: 10},
		{kind: "stripe-key", prefix: "sk_test_", class: alnum, min: 10},
		{kind: "stripe-key", prefix: "rk_live_", class: alnum, min: 10},
		{kind: "stripe-key", prefix: "rk_test_", class: alnum, min: 10},
		{kind: "stripe-key", prefix: "whsec_", class: base64s, min: 24, bound: true},
		{kind: "anthropic-key", prefix: "sk-ant-", class: dashed, min: 16},
		{kind: "openai-key", prefix: "sk-proj-", class: dashed, min: 20, bound: true},
		{kind: "openai-key", prefix: "sk-svcacct-", class: dashed, min: 20, bound: true},
		{kind: "openai-key", prefix: "sk-admin-", class: dashed, min: 20, bound: true, check: random},
		{kind: "openrouter-key", prefix: "sk-or-", class: dashed, min: 30, bound: true, check: hasDigit},
		{kind: "openai-key", prefix: "sk-", class: alnum, min: 20, bound: true, check: longOrDigit},
		{kind: "npm-token", prefix: "npm_", class: alnum, min: 30, bound: true},
		{kind: "pypi-token", prefix: "pypi-", class: dashed, min: 32, bound: true, check: mixedCase},
		{kind: "huggingface-token", prefix: "hf_", class: alnum, min: 30, bound: true},
		{kind: "sendgrid-key", prefix: "SG.", class: dotted, min: 40, bound: true, check: hasDigit},
		{kind: "digitalocean-token", prefix: "dop_v1_", class: alnum, min: 40},
		{kind: "docker-token", prefix: "dckr_pat_", class: dashed, min: 20},
		{kind: "vault-token", prefix: "hvs.", class: dashed, min: 20, bound: true, check: random},
		{kind: "age-key", prefix: "AGE-SECRET-KEY-1", class: alnum, min: 40},
		{kind: "atlassian-token", prefix: "ATATT3", class: token68, min: 40, bound: true},
		{kind: "linear-key", prefix: "lin_api_", class: alnum, min: 30},
		{kind: "groq-key", prefix: "gsk_", class: alnum, min: 40, bound: true},
		{kind: "databricks-token", prefix: "dapi", class: alnum, min: 32, bound: true, check: hasDigit},
		{kind: "shopify-token", prefix: "shpat_", class: alnum, min: 32},
	}
}

func tokenRules() []rule {
	all := tokens()
	rules := make([]rule, len(all))
	for i, t := range all {
		rules[i] = rule{strings.ToLower(t.prefix), []string{t.kind}, t.match}
	}
	return rules
}

func (t token) match(_ *Redactor, s string, at, _ int) (Finding, bool) {
	if !strings.HasPrefix(s[at:], t.prefix) || t.bound && at > 0 && isAlnum(s[at-1]) {
		return Finding{}, false
	}
	from := at + len(t.prefix)
	end := t.class.run(s, from, from+judged)
	body := s[from:end]
	if len(body) < t.min || filler(body) || t.check != nil && !t.check(body) {
		return Finding{}, false
	}
	end = t.class.run(s, end, len(s))
	if t.keep {
		at = from
	}
	return Finding{t.kind, at, end}, true
}

// filler reports whether s only holds the place of a secret, as xxxx does.
func filler(s string) bool {
	return strings.Trim(s, "xX*.0_-") == ""
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

func longOrDigit(s string) bool { return len(s) >= 32 || hasDigit(s) }

// mixedCase tells random bodies from the hyphenated words of package names.
func mixedCase(s string) bool {
	return strings.ToLower(s) != s && strings.ToUpper(s) != s
}
