package redact

import "strings"

// vendor is a credential without a form of its own. It counts where a name
// with the vendor's word is given a value of the right characters and length.
type vendor struct {
	kind     string
	word     string // lower case
	class    class
	min, max int
	prefix   string // what the value begins with; the rest is counted
	check    func(value string) bool
}

func (t *vendor) match(_ *Redactor, s string, at, floor int) (Finding, bool) {
	if !hasPrefixFold(s[at:], t.word) {
		return Finding{}, false
	}
	n, ok := t.name(s, at, floor)
	if !ok {
		return Finding{}, false
	}
	from := listed(s, n.end)
	if sep, ok := separator(s, n); ok {
		from = sep.at
	}
	if from == 0 {
		return Finding{}, false
	}
	from = skipAny(s, from, "\"'`", 1)
	if !strings.HasPrefix(s[from:], t.prefix) {
		return Finding{}, false
	}
	body := from + len(t.prefix)
	end := t.class.run(s, body, body+t.max+1)
	value := s[body:end]
	if len(value) < t.min || len(value) > t.max || !atValueEnd(s, end) || placeholder(value) {
		return Finding{}, false
	}
	if t.check != nil {
		return Finding{t.kind, from, end}, t.check(value)
	}
	return Finding{t.kind, from, end}, hasDigit(value) && strings.Trim(value, "0123456789") != "" && entropy(value) >= 2.8 && !slug(value)
}

// listed returns the place of a value that stands behind a name in a list or a table,
// or within tags, 0 for none: the length and the characters of the value have to do.
func listed(s string, at int) int {
	sign := skipAny(s, at, "\"' \t", 3)
	if skipAny(s, sign, ",>", 1) == sign {
		return 0
	}
	return skipAny(s, sign+1, "\"' \t", 2)
}

// name returns the name around the vendor's word, unless it says that the
// value is an address, a version or a public id.
func (t *vendor) name(s string, at, floor int) (name, bool) {
	end := at + len(t.word)
	n := name{start: dotted.runBack(s, at, max(floor, at-maxName)), end: dotted.run(s, end, end+maxName)}
	if n.end-end == maxName || !freeWord(s[n.start:at], s[at]) {
		return n, false
	}
	tail := s[end:n.end]
	if tail != "" && isLower(tail[0]) && hasPrefix(tail, "key", "token", "login") == 0 {
		return n, false // another word: linearize, travisty
	}
	switch last := lastWord(tail); last {
	case "id", "ids", "uuid", "guid", "sha", "sha1", "sha256", "hash", "commit", "checksum", "digest", "integrity", "revision", "rev", "image", "tag", "project", "org", "team":
		return n, false
	default:
		return n, !about(last)
	}
}

func isSidekiq(s string) bool { return parts(s, ":", 8, 8) }

// atValueEnd reports whether a value may end at at.
func atValueEnd(s string, at int) bool {
	if at+1 < len(s) && s[at] == '.' && isAlnum(s[at+1]) {
		return false
	}
	return at >= len(s) || isSpace(s[at]) || strings.IndexByte("\"'`\\;,<&)]}|.", s[at]) >= 0
}

// vendors lists whose credentials are found by their names. The words have no
// letters before them, so that sumo is not found in consumer.
var vendors = [...]vendor{
	{kind: "adafruit-key", word: "adafruit", class: dashed, min: 32, max: 32},
	{kind: "adobe-secret", word: "adobe", class: hex, min: 32, max: 32},
	{kind: "airtable-token", word: "airtable", class: alnum, min: 17, max: 17},
	{kind: "algolia-key", word: "algolia", class: alnum, min: 32, max: 32},
	{kind: "alibaba-secret", word: "alibaba", class: alnum, min: 30, max: 30},
	{kind: "alibaba-secret", word: "aliyun", class: alnum, min: 30, max: 30},
	{kind: "asana-secret", word: "asana", class: alnum, min: 32, max: 32},
	{kind: "asana-token", word: "asana", class: escaped, min: 45, max: 60},
	{kind: "atlassian-token", word: "atlassian", class: alnum, min: 24, max: 24},
	{kind: "atlassian-token", word: "confluence", class: alnum, min: 24, max: 24},
	{kind: "atlassian-token", word: "jira", class: alnum, min: 24, max: 24},
	{kind: "azure-ai-key", word: "openai", class: hex, min: 32, max: 32},
	{kind: "beamer-token", word: "beamer", class: token68, min: 44, max: 44, prefix: "b_"},
	{kind: "bitbucket-secret", word: "bitbucket", class: token68, min: 32, max: 64},
	{kind: "bittrex-key", word: "bittrex", class: alnum, min: 32, max: 32},
	{kind: "meraki-key", word: "meraki", class: hex, min: 40, max: 40},
	{kind: "cloudflare-key", word: "cloudflare", class: dashed, min: 37, max: 40},
	{kind: "codecov-token", word: "codecov", class: alnum, min: 32, max: 32},
	{kind: "codecov-token", word: "codecov", class: dashed, min: 36, max: 36, check: uuid},
	{kind: "cohere-key", word: "cohere", class: alnum, min: 40, max: 40, check: longOrDigit},
	{kind: "coinbase-token", word: "coinbase", class: dashed, min: 64, max: 64},
	{kind: "confluent-key", word: "confluent", class: alnum, min: 16, max: 16},
	{kind: "confluent-key", word: "confluent", class: joined, min: 64, max: 64},
	{kind: "contentful-token", word: "contentful", class: token68, min: 43, max: 43},
	{kind: "datadog-key", word: "datadog", class: alnum, min: 32, max: 32},
	{kind: "datadog-key", word: "datadog", class: alnum, min: 40, max: 40},
	{kind: "discord-secret", word: "discord", class: hex, min: 64, max: 64},
	{kind: "discord-secret", word: "discord", class: joined, min: 32, max: 32},
	{kind: "discord-token", word: "discord", class: dotted, min: 57, max: 80},
	{kind: "drone-token", word: "droneci", class: alnum, min: 32, max: 32},
	{kind: "drone-token", word: "drone", class: alnum, min: 32, max: 32},
	{kind: "dropbox-token", word: "dropbox", class: alnum, min: 15, max: 15},
	{kind: "dropbox-token", word: "dropbox", class: token68, min: 64, max: 64},
	{kind: "etsy-token", word: "etsy", class: alnum, min: 24, max: 24},
	{kind: "facebook-secret", word: "facebook", class: hex, min: 32, max: 32},
	{kind: "facebook-token", word: "facebook", class: pair, min: 40, max: 60},
	{kind: "fastly-token", word: "fastly", class: token68, min: 32, max: 32},
	{kind: "finicity-key", word: "finicity", class: alnum, min: 20, max: 20},
	{kind: "finicity-key", word: "finicity", class: hex, min: 32, max: 32},
	{kind: "finnhub-token", word: "finnhub", class: alnum, min: 20, max: 20},
	{kind: "flickr-token", word: "flickr", class: alnum, min: 32, max: 32},
	{kind: "freshbooks-token", word: "freshbooks", class: alnum, min: 64, max: 64},
	{kind: "gitea-token", word: "gitea", class: hex, min: 40, max: 40},
	{kind: "gitter-token", word: "gitter", class: dashed, min: 40, max: 40},
	{kind: "gocardless-token", word: "gocardless", class: token68, min: 40, max: 50},
	{kind: "heroku-key", word: "heroku", class: dashed, min: 36, max: 36, check: uuid},
	{kind: "hubspot-key", word: "hubspot", class: dashed, min: 36, max: 36, check: uuid},
	{kind: "intercom-token", word: "intercom", class: token68, min: 60, max: 60},
	{kind: "jfrog-key", word: "jfrog", class: alnum, min: 64, max: 73},
	{kind: "jfrog-key", word: "artifactory", class: alnum, min: 64, max: 73},
	{kind: "jfrog-key", word: "bintray", class: alnum, min: 40, max: 73},
	{kind: "jfrog-key", word: "xray", class: alnum, min: 64, max: 73},
	{kind: "kraken-key", word: "kraken", class: joined, min: 80, max: 90},
	{kind: "kucoin-key", word: "kucoin", class: hex, min: 24, max: 24},
	{kind: "kucoin-key", word: "kucoin", class: dashed, min: 36, max: 36, check: uuid},
	{kind: "launchdarkly-key", word: "launchdarkly", class: token68, min: 40, max: 40},
	{kind: "linear-key", word: "linear", class: hex, min: 32, max: 32},
	{kind: "linkedin-secret", word: "linkedin", class: alnum, min: 16, max: 16},
	{kind: "linkedin-secret", word: "linked_in", class: alnum, min: 16, max: 16},
	{kind: "lob-key", word: "lob_", class: word, min: 40, max: 40},
	{kind: "looker-secret", word: "looker", class: alnum, min: 24, max: 24},
	{kind: "mailchimp-key", word: "mailchimp", class: dashed, min: 36, max: 37},
	{kind: "mailgun-key", word: "mailgun", class: dashed, min: 50, max: 50},
	{kind: "mapbox-token", word: "mapbox", class: dotted, min: 60, max: 200, prefix: "pk."},
	{kind: "mattermost-token", word: "mattermost", class: alnum, min: 26, max: 26},
	{kind: "messagebird-token", word: "messagebird", class: alnum, min: 25, max: 25},
	{kind: "messagebird-token", word: "message_bird", class: alnum, min: 25, max: 25},
	{kind: "messagebird-token", word: "message-bird", class: alnum, min: 25, max: 25},
	{kind: "neon-key", word: "neon", class: alnum, min: 64, max: 64},
	{kind: "netlify-token", word: "netlify", class: token68, min: 40, max: 46},
	{kind: "newrelic-key", word: "newrelic", class: alnum, min: 40, max: 64},
	{kind: "newrelic-key", word: "new_relic", class: alnum, min: 40, max: 64},
	{kind: "newrelic-key", word: "new-relic", class: alnum, min: 40, max: 64},
	{kind: "nytimes-token", word: "nytimes", class: token68, min: 32, max: 32},
	{kind: "nytimes-token", word: "newyorktimes", class: token68, min: 32, max: 32},
	{kind: "nytimes-token", word: "new-york-times", class: token68, min: 32, max: 32},
	{kind: "okta-token", word: "okta", class: token68, min: 40, max: 40, prefix: "00"},
	{kind: "paddle-key", word: "paddle", class: alnum, min: 50, max: 50},
	{kind: "plaid-secret", word: "plaid", class: alnum, min: 30, max: 30},
	{kind: "privateai-token", word: "privateai", class: alnum, min: 32, max: 32},
	{kind: "privateai-token", word: "private_ai", class: alnum, min: 32, max: 32},
	{kind: "privateai-token", word: "private-ai", class: alnum, min: 32, max: 32},
	{kind: "rapidapi-token", word: "rapidapi", class: dashed, min: 50, max: 50},
	{kind: "sendbird-token", word: "sendbird", class: hex, min: 40, max: 40},
	{kind: "sentry-token", word: "sentry", class: hex, min: 64, max: 64},
	{kind: "sidekiq-secret", word: "contribsys__com", class: pair, min: 17, max: 17, check: isSidekiq},
	{kind: "snyk-token", word: "snyk", class: dashed, min: 36, max: 36, check: uuid},
	{kind: "sonar-token", word: "sonar", class: token68, min: 40, max: 44},
	{kind: "sourcegraph-token", word: "sourcegraph", class: hex, min: 40, max: 40},
	{kind: "squarespace-token", word: "squarespace", class: dashed, min: 36, max: 36, check: uuid},
	{kind: "sumologic-key", word: "sumologic", class: alnum, min: 64, max: 64},
	{kind: "sumologic-key", word: "sumo", class: alnum, min: 64, max: 64},
	{kind: "telegram-token", word: "telegram", class: pair, min: 40, max: 52},
	{kind: "telegram-token", word: "telegr", class: pair, min: 40, max: 52},
	{kind: "together-key", word: "together", class: hex, min: 64, max: 64},
	{kind: "travis-token", word: "travis", class: alnum, min: 22, max: 22},
	{kind: "trello-token", word: "trello", class: alnum, min: 32, max: 76},
	{kind: "twitch-token", word: "twitch", class: alnum, min: 30, max: 30},
	{kind: "twitter-key", word: "twitter", class: alnum, min: 25, max: 25},
	{kind: "twitter-key", word: "twitter", class: dashed, min: 36, max: 66},
	{kind: "twitter-bearer", word: "twitter", class: escaped, min: 80, max: 110, prefix: "AAAAAAAAAAAAAAAAAAAAAA"},
	{kind: "typeform-token", word: "typeform", class: token68, min: 59, max: 59, prefix: "tfp_"},
	{kind: "vercel-token", word: "vercel", class: alnum, min: 24, max: 24},
	{kind: "yandex-key", word: "yandex", class: dashed, min: 38, max: 38, prefix: "YC"},
	{kind: "zendesk-key", word: "zendesk", class: alnum, min: 40, max: 40},
}
