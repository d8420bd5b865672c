package redact

import "strings"

// vendor is a credential without a format of its own. It counts if a name with the vendor's word is assigned a value of
// the right characters and length.
type vendor struct {
	kind     string
	words    []string // lower case
	class    class
	min, max int
	prefix   string // the prefix of the value, not counted in its length
	check    func(value string) bool
}

func (t *vendor) match(_ *Redactor, s, word string, at, floor int) (Finding, bool) {
	n, ok := vendorName(s, word, at, floor)
	if !ok {
		return Finding{}, false
	}
	from := listed(s, n.end)
	if sep, ok := separator(s, n); ok {
		from = sep.at
	}
	sign := from
	from = skipAny(s, from, "\"'`", 1)
	if sign == 0 || !strings.HasPrefix(s[from:], t.prefix) {
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
	return Finding{t.kind, from, end}, hasDigit(value) && strings.Trim(value, "0123456789") != "" &&
		entropy(value) >= 2.8 && !slug(value)
}

// listed returns the position of a value after a name in a list, in a table or within tags, 0 if there is none: the
// length and the characters of the value decide.
func listed(s string, at int) int {
	sign := skipAny(s, at, "\"' \t", 3)
	if skipAny(s, sign, ",>", 1) == sign {
		return 0
	}
	return skipAny(s, sign+1, "\"' \t", 2)
}

// vendorName returns the name around the vendor's word, unless the name is that of an address, a version or a public
// id.
func vendorName(s, word string, at, floor int) (name, bool) {
	end := at + len(word)
	n := name{start: dotted.runBack(s, at, max(floor, at-maxName)), end: dotted.run(s, end, end+maxName)}
	if n.end-end == maxName || !freeWord(s[n.start:at], s[at]) {
		return n, false
	}
	tail := s[end:n.end]
	if tail != "" && isLower(tail[0]) && hasPrefix(tail, "key", "token", "login") == 0 {
		return n, false // another word: linearize, travisty
	}
	switch last := lastWord(tail); last {
	case "id", "ids", "uuid", "guid", "sha", "sha1", "sha256", "hash", "commit", "checksum", "digest", "integrity",
		"revision", "rev", "image", "tag", "project", "org", "team":
		return n, false
	default:
		return n, !describesSecret(last)
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

// vendors lists the vendors whose credentials are found by their names. No letters precede
// the words, so that sumo is not found in consumer.
var vendors = [...]vendor{
	{kind: "adafruit-key", words: []string{"adafruit"}, class: dashed, min: 32, max: 32},
	{kind: "adobe-secret", words: []string{"adobe"}, class: hex, min: 32, max: 32},
	{kind: "airtable-token", words: []string{"airtable"}, class: alnum, min: 17, max: 17},
	{kind: "algolia-key", words: []string{"algolia"}, class: alnum, min: 32, max: 32},
	{kind: "alibaba-secret", words: []string{"alibaba", "aliyun"}, class: alnum, min: 30, max: 30},
	{kind: "asana-secret", words: []string{"asana"}, class: alnum, min: 32, max: 32},
	{kind: "asana-token", words: []string{"asana"}, class: escaped, min: 45, max: 60},
	{kind: "atlassian-token", words: []string{"atlassian", "confluence", "jira"}, class: alnum, min: 24, max: 24},
	{kind: "azure-ai-key", words: []string{"openai"}, class: hex, min: 32, max: 32},
	{kind: "beamer-token", words: []string{"beamer"}, class: token68, min: 44, max: 44, prefix: "b_"},
	{kind: "bitbucket-secret", words: []string{"bitbucket"}, class: token68, min: 32, max: 64},
	{kind: "bittrex-key", words: []string{"bittrex"}, class: alnum, min: 32, max: 32},
	{kind: "meraki-key", words: []string{"meraki"}, class: hex, min: 40, max: 40},
	{kind: "cloudflare-key", words: []string{"cloudflare"}, class: dashed, min: 37, max: 40},
	{kind: "codecov-token", words: []string{"codecov"}, class: alnum, min: 32, max: 32},
	{kind: "codecov-token", words: []string{"codecov"}, class: dashed, min: 36, max: 36, check: uuid},
	{kind: "cohere-key", words: []string{"cohere"}, class: alnum, min: 40, max: 40, check: longOrDigit},
	{kind: "coinbase-token", words: []string{"coinbase"}, class: dashed, min: 64, max: 64},
	{kind: "confluent-key", words: []string{"confluent"}, class: alnum, min: 16, max: 16},
	{kind: "confluent-key", words: []string{"confluent"}, class: joined, min: 64, max: 64},
	{kind: "contentful-token", words: []string{"contentful"}, class: token68, min: 43, max: 43},
	{kind: "datadog-key", words: []string{"datadog"}, class: alnum, min: 32, max: 32},
	{kind: "datadog-key", words: []string{"datadog"}, class: alnum, min: 40, max: 40},
	{kind: "discord-secret", words: []string{"discord"}, class: hex, min: 64, max: 64},
	{kind: "discord-secret", words: []string{"discord"}, class: joined, min: 32, max: 32},
	{kind: "discord-token", words: []string{"discord"}, class: dotted, min: 57, max: 80},
	{kind: "drone-token", words: []string{"droneci", "drone"}, class: alnum, min: 32, max: 32},
	{kind: "dropbox-token", words: []string{"dropbox"}, class: alnum, min: 15, max: 15},
	{kind: "dropbox-token", words: []string{"dropbox"}, class: token68, min: 64, max: 64},
	{kind: "etsy-token", words: []string{"etsy"}, class: alnum, min: 24, max: 24},
	{kind: "facebook-secret", words: []string{"facebook"}, class: hex, min: 32, max: 32},
	{kind: "facebook-token", words: []string{"facebook"}, class: pair, min: 40, max: 60},
	{kind: "fastly-token", words: []string{"fastly"}, class: token68, min: 32, max: 32},
	{kind: "finicity-key", words: []string{"finicity"}, class: alnum, min: 20, max: 20},
	{kind: "finicity-key", words: []string{"finicity"}, class: hex, min: 32, max: 32},
	{kind: "finnhub-token", words: []string{"finnhub"}, class: alnum, min: 20, max: 20},
	{kind: "flickr-token", words: []string{"flickr"}, class: alnum, min: 32, max: 32},
	{kind: "freshbooks-token", words: []string{"freshbooks"}, class: alnum, min: 64, max: 64},
	{kind: "gitea-token", words: []string{"gitea"}, class: hex, min: 40, max: 40},
	{kind: "gitter-token", words: []string{"gitter"}, class: dashed, min: 40, max: 40},
	{kind: "gocardless-token", words: []string{"gocardless"}, class: token68, min: 40, max: 50},
	{kind: "heroku-key", words: []string{"heroku"}, class: dashed, min: 36, max: 36, check: uuid},
	{kind: "hubspot-key", words: []string{"hubspot"}, class: dashed, min: 36, max: 36, check: uuid},
	{kind: "intercom-token", words: []string{"intercom"}, class: token68, min: 60, max: 60},
	{kind: "jfrog-key", words: []string{"jfrog", "artifactory", "xray"}, class: alnum, min: 64, max: 73},
	{kind: "jfrog-key", words: []string{"bintray"}, class: alnum, min: 40, max: 73},
	{kind: "kraken-key", words: []string{"kraken"}, class: joined, min: 80, max: 90},
	{kind: "kucoin-key", words: []string{"kucoin"}, class: hex, min: 24, max: 24},
	{kind: "kucoin-key", words: []string{"kucoin"}, class: dashed, min: 36, max: 36, check: uuid},
	{kind: "launchdarkly-key", words: []string{"launchdarkly"}, class: token68, min: 40, max: 40},
	{kind: "linear-key", words: []string{"linear"}, class: hex, min: 32, max: 32},
	{kind: "linkedin-secret", words: []string{"linkedin", "linked_in"}, class: alnum, min: 16, max: 16},
	{kind: "lob-key", words: []string{"lob_"}, class: word, min: 40, max: 40},
	{kind: "looker-secret", words: []string{"looker"}, class: alnum, min: 24, max: 24},
	{kind: "mailchimp-key", words: []string{"mailchimp"}, class: dashed, min: 36, max: 37},
	{kind: "mailgun-key", words: []string{"mailgun"}, class: dashed, min: 50, max: 50},
	{kind: "mapbox-token", words: []string{"mapbox"}, class: dotted, min: 60, max: 200, prefix: "pk."},
	{kind: "mattermost-token", words: []string{"mattermost"}, class: alnum, min: 26, max: 26},
	{kind: "messagebird-token", words: []string{"messagebird", "message_bird", "message-bird"}, class: alnum,
		min: 25, max: 25},
	{kind: "neon-key", words: []string{"neon"}, class: alnum, min: 64, max: 64},
	{kind: "netlify-token", words: []string{"netlify"}, class: token68, min: 40, max: 46},
	{kind: "newrelic-key", words: []string{"newrelic", "new_relic", "new-relic"}, class: alnum, min: 40, max: 64},
	{kind: "nytimes-token", words: []string{"nytimes", "newyorktimes", "new-york-times"}, class: token68,
		min: 32, max: 32},
	{kind: "okta-token", words: []string{"okta"}, class: token68, min: 40, max: 40, prefix: "00"},
	{kind: "paddle-key", words: []string{"paddle"}, class: alnum, min: 50, max: 50},
	{kind: "plaid-secret", words: []string{"plaid"}, class: alnum, min: 30, max: 30},
	{kind: "privateai-token", words: []string{"privateai", "private_ai", "private-ai"}, class: alnum, min: 32, max: 32},
	{kind: "rapidapi-token", words: []string{"rapidapi"}, class: dashed, min: 50, max: 50},
	{kind: "sendbird-token", words: []string{"sendbird"}, class: hex, min: 40, max: 40},
	{kind: "sentry-token", words: []string{"sentry"}, class: hex, min: 64, max: 64},
	{kind: "sidekiq-secret", words: []string{"contribsys__com"}, class: pair, min: 17, max: 17, check: isSidekiq},
	{kind: "snyk-token", words: []string{"snyk"}, class: dashed, min: 36, max: 36, check: uuid},
	{kind: "sonar-token", words: []string{"sonar"}, class: token68, min: 40, max: 44},
	{kind: "sourcegraph-token", words: []string{"sourcegraph"}, class: hex, min: 40, max: 40},
	{kind: "squarespace-token", words: []string{"squarespace"}, class: dashed, min: 36, max: 36, check: uuid},
	{kind: "sumologic-key", words: []string{"sumologic", "sumo"}, class: alnum, min: 64, max: 64},
	{kind: "telegram-token", words: []string{"telegram", "telegr"}, class: pair, min: 40, max: 52},
	{kind: "together-key", words: []string{"together"}, class: hex, min: 64, max: 64},
	{kind: "travis-token", words: []string{"travis"}, class: alnum, min: 22, max: 22},
	{kind: "trello-token", words: []string{"trello"}, class: alnum, min: 32, max: 76},
	{kind: "twitch-token", words: []string{"twitch"}, class: alnum, min: 30, max: 30},
	{kind: "twitter-key", words: []string{"twitter"}, class: alnum, min: 25, max: 25},
	{kind: "twitter-key", words: []string{"twitter"}, class: dashed, min: 36, max: 66},
	{kind: "twitter-bearer", words: []string{"twitter"}, class: escaped, min: 80, max: 110,
		prefix: "AAAAAAAAAAAAAAAAAAAAAA"},
	{kind: "typeform-token", words: []string{"typeform"}, class: token68, min: 59, max: 59, prefix: "tfp_"},
	{kind: "vercel-token", words: []string{"vercel"}, class: alnum, min: 24, max: 24},
	{kind: "yandex-key", words: []string{"yandex"}, class: dashed, min: 38, max: 38, prefix: "YC"},
	{kind: "zendesk-key", words: []string{"zendesk"}, class: alnum, min: 40, max: 40},
}
