package redact

import "strings"

// vendor is a credential without a form of its own. It counts where a name
// with the vendor's word is given a value of the right characters and length.
type vendor struct {
	of       string // kinds with their words in lower case; see [kindsOf]
	kind     string // the one of a word, set by [newIndex]
	class    class
	min, max int
	prefix   string // what the value begins with; the rest is counted
	check    func(value string) bool
}

func (t *vendor) match(_ *Redactor, s string, at, floor int, word string) (Finding, bool) {
	n, ok := t.name(s, at, at+len(word), floor)
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
func (t *vendor) name(s string, at, end, floor int) (name, bool) {
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
	{of: "adafruit-key adafruit", class: dashed, min: 32, max: 32},
	{of: "adobe-secret adobe, azure-ai-key openai, facebook-secret facebook, finicity-key finicity, linear-key linear", class: hex, min: 32, max: 32},
	{of: "airtable-token airtable", class: alnum, min: 17, max: 17},
	{of: "algolia-key algolia, asana-secret asana, bittrex-key bittrex, codecov-token codecov, datadog-key datadog, drone-token droneci|drone, flickr-token flickr", class: alnum, min: 32, max: 32},
	{of: "alibaba-secret alibaba|aliyun, plaid-secret plaid, twitch-token twitch", class: alnum, min: 30, max: 30},
	{of: "asana-token asana", class: escaped, min: 45, max: 60},
	{of: "atlassian-token atlassian|confluence|jira, etsy-token etsy, looker-secret looker, vercel-token vercel", class: alnum, min: 24, max: 24},
	{of: "beamer-token beamer", class: token68, min: 44, max: 44, prefix: "b_"},
	{of: "bitbucket-secret bitbucket", class: token68, min: 32, max: 64},
	{of: "meraki-key meraki, gitea-token gitea, sendbird-token sendbird, sourcegraph-token sourcegraph", class: hex, min: 40, max: 40},
	{of: "cloudflare-key cloudflare", class: dashed, min: 37, max: 40},
	{of: "codecov-token codecov, heroku-key heroku, hubspot-key hubspot, kucoin-key kucoin, snyk-token snyk, squarespace-token squarespace", class: dashed, min: 36, max: 36, check: uuid},
	{of: "cohere-key cohere", class: alnum, min: 40, max: 40, check: longOrDigit},
	{of: "coinbase-token coinbase", class: dashed, min: 64, max: 64},
	{of: "confluent-key confluent, linkedin-secret linkedin|linked_in", class: alnum, min: 16, max: 16},
	{of: "confluent-key confluent", class: joined, min: 64, max: 64},
	{of: "contentful-token contentful", class: token68, min: 43, max: 43},
	{of: "datadog-key datadog, zendesk-key zendesk", class: alnum, min: 40, max: 40},
	{of: "discord-secret discord, sentry-token sentry, together-key together", class: hex, min: 64, max: 64},
	{of: "discord-secret discord", class: joined, min: 32, max: 32},
	{of: "discord-token discord", class: dotted, min: 57, max: 80},
	{of: "dropbox-token dropbox", class: alnum, min: 15, max: 15},
	{of: "dropbox-token dropbox", class: token68, min: 64, max: 64},
	{of: "facebook-token facebook", class: pair, min: 40, max: 60},
	{of: "fastly-token fastly, nytimes-token nytimes|newyorktimes|new-york-times", class: token68, min: 32, max: 32},
	{of: "finicity-key finicity, finnhub-token finnhub", class: alnum, min: 20, max: 20},
	{of: "freshbooks-token freshbooks, neon-key neon, sumologic-key sumologic|sumo", class: alnum, min: 64, max: 64},
	{of: "gitter-token gitter", class: dashed, min: 40, max: 40},
	{of: "gocardless-token gocardless", class: token68, min: 40, max: 50},
	{of: "intercom-token intercom", class: token68, min: 60, max: 60},
	{of: "jfrog-key jfrog|artifactory|xray", class: alnum, min: 64, max: 73},
	{of: "jfrog-key bintray", class: alnum, min: 40, max: 73},
	{of: "kraken-key kraken", class: joined, min: 80, max: 90},
	{of: "kucoin-key kucoin", class: hex, min: 24, max: 24},
	{of: "launchdarkly-key launchdarkly", class: token68, min: 40, max: 40},
	{of: "lob-key lob_", class: word, min: 40, max: 40},
	{of: "mailchimp-key mailchimp", class: dashed, min: 36, max: 37},
	{of: "mailgun-key mailgun, rapidapi-token rapidapi", class: dashed, min: 50, max: 50},
	{of: "mapbox-token mapbox", class: dotted, min: 60, max: 200, prefix: "pk."},
	{of: "mattermost-token mattermost", class: alnum, min: 26, max: 26},
	{of: "messagebird-token messagebird|message_bird|message-bird, twitter-key twitter", class: alnum, min: 25, max: 25},
	{of: "netlify-token netlify", class: token68, min: 40, max: 46},
	{of: "newrelic-key newrelic|new_relic|new-relic", class: alnum, min: 40, max: 64},
	{of: "okta-token okta", class: token68, min: 40, max: 40, prefix: "00"},
	{of: "paddle-key paddle", class: alnum, min: 50, max: 50},
	{of: "privateai-token privateai|private_ai|private-ai", class: alnum, min: 32, max: 32},
	{of: "sidekiq-secret contribsys__com", class: pair, min: 17, max: 17, check: isSidekiq},
	{of: "sonar-token sonar", class: token68, min: 40, max: 44},
	{of: "telegram-token telegram|telegr", class: pair, min: 40, max: 52},
	{of: "travis-token travis", class: alnum, min: 22, max: 22},
	{of: "trello-token trello", class: alnum, min: 32, max: 76},
	{of: "twitter-key twitter", class: dashed, min: 36, max: 66},
	{of: "twitter-bearer twitter", class: escaped, min: 80, max: 110, prefix: "AAAAAAAAAAAAAAAAAAAAAA"},
	{of: "typeform-token typeform", class: token68, min: 59, max: 59, prefix: "tfp_"},
	{of: "yandex-key yandex", class: dashed, min: 38, max: 38, prefix: "YC"},
}
