package redact

import "strings"

// issued lists the forms that issuers document for their credentials, or that
// scanners of repositories publish. Longer beginnings of one issuer come
// before shorter ones.
var issued = [...]token{
	// Clouds and hosts.
	{kind: "aws-access-key-id", prefix: "AKIA|ASIA|ABIA", class: upper, min: 16, bound: true},
	{kind: "aws-access-key-id", prefix: "ACCA", class: upper, min: 16, bound: true, check: hasDigit},
	{kind: "aws-access-key-id", prefix: "A3T", class: upper, min: 17, max: 17, bound: true, check: hasDigit},
	{kind: "aws-bedrock-key", prefix: "ABSK", class: base64s, min: 100, bound: true},
	{kind: "aws-bedrock-key", prefix: "bedrock-api-key-", class: base64s, min: 40},
	{kind: "google-api-key", prefix: "AIza", class: dashed, min: 35, bound: true},
	{kind: "google-oauth", prefix: "GOCSPX-", class: dashed, min: 20, bound: true},
	{kind: "google-oauth", prefix: "ya29.", class: dotted, min: 20, bound: true},
	{kind: "google-oauth", prefix: "1//0", class: dashed, min: 40, bound: true, check: random},
	// The keys of Gemini since 2026, and of Vertex AI's express mode.
	{kind: "google-api-key", prefix: "AQ.Ab", class: dashed, min: 45, bound: true},
	{kind: "gcs-hmac-id", prefix: "GOOG", class: upper, min: 20, max: 20, bound: true, check: hasDigit},
	{kind: "gcs-hmac-id", prefix: "GOOG1", class: upper, min: 56, max: 56, bound: true},
	{kind: "google-fcm-key", prefix: ":APA91b", class: dashed, min: 100, left: dashed, lmin: 11, lmax: 22},
	{kind: "azure-client-secret", prefix: "0Q~|1Q~|2Q~|3Q~|4Q~|5Q~|6Q~|7Q~|8Q~|9Q~", class: tilde, min: 31, max: 36, left: tilde, lmin: 3, lmax: 3},
	{kind: "azure-devops-token", prefix: "AZDO", class: alnum, min: 4, max: 4, left: alnum, lmin: 76, lmax: 76},
	// Microsoft's annotated form: 52 random characters, this mark, then what the key is for.
	{kind: "azure-ai-key", prefix: "JQQJ99", class: alnum, min: 20, max: 32, left: alnum, lmin: 50, lmax: 54},
	{kind: "alibaba-access-key-id", prefix: "LTAI", class: alnum, min: 16, max: 24, bound: true, check: hasDigit},
	{kind: "tencent-secret-id", prefix: "AKID", class: alnum, min: 32, max: 48, alone: true, check: drawnMixed},
	{kind: "digitalocean-token", prefix: "dop_v1_|doo_v1_|dor_v1_", class: alnum, min: 40},
	{kind: "heroku-key", prefix: "HRKU-", class: dashed, min: 36, bound: true, check: hasDigit},
	{kind: "fly-token", prefix: "fo1_", class: dashed, min: 43, bound: true},
	{kind: "fly-token", prefix: "fm1a_|fm1r_|fm2_", class: base64s, min: 100, bound: true},
	{kind: "cloudflare-origin-key", prefix: "v1.0-", class: dashed, min: 160, bound: true, check: hasDigit},
	{kind: "cloudflare-key", prefix: "cfk_|cfut_|cfat_", class: alnum, min: 48, bound: true},
	{kind: "vault-token", prefix: "hvs.|hvr.", class: dashed, min: 20, bound: true, check: random},
	{kind: "vault-token", prefix: "hvb.", class: dashed, min: 100, bound: true},
	{kind: "vault-token", prefix: "s.", class: alnum, min: 24, max: 24, alone: true, check: drawnMixed},
	{kind: "terraform-token", prefix: ".atlasv1.", class: joined, min: 40, left: alnum, lmin: 14, lmax: 14},
	{kind: "pulumi-token", prefix: "pul-", class: hex, min: 40, max: 40, bound: true},
	{kind: "doppler-token", prefix: "dp.pt.|dp.ct.|dp.sa.|dp.scim.", class: alnum, min: 40, bound: true},
	{kind: "doppler-token", prefix: "dp.st.", class: dotted, min: 40, bound: true, check: random},
	{kind: "infracost-key", prefix: "ico-", class: alnum, min: 32, max: 32, alone: true, check: hasDigit},
	{kind: "scalingo-token", prefix: "tk-us-", class: dashed, min: 40, max: 60, bound: true, check: random},
	{kind: "planetscale-token", prefix: "pscale_tkn_|pscale_oauth_|pscale_pw_", class: token68, min: 30, bound: true},
	{kind: "databricks-token", prefix: "dapi", class: hex, min: 32, max: 32, bound: true, check: hasDigit},
	{kind: "clickhouse-key", prefix: "4b1d", class: alnum, min: 38, max: 38, bound: true, check: mixedCase},
	{kind: "openshift-token", prefix: "sha256~", class: dashed, min: 43, max: 43, bound: true},
	{kind: "supabase-token", prefix: "sbp_", class: hex, min: 40, bound: true},
	{kind: "supabase-token", prefix: "sb_secret_", class: dashed, min: 20, bound: true, check: random},
	{kind: "vercel-token", prefix: "vercel_blob_rw_", class: word, min: 30},
	{kind: "vercel-token", prefix: "vcp_|vci_|vca_|vcr_|vck_", class: dashed, min: 56, bound: true},
	{kind: "neon-key", prefix: "napi_", class: alnum, min: 60, bound: true},
	// RunPod says the prefix only; keys that people leaked have 40 to 46 characters.
	{kind: "runpod-key", prefix: "rpa_", class: alnum, min: 36, bound: true, check: hasDigit},
	{kind: "apify-token", prefix: "apify_api_", class: alnum, min: 30, bound: true},
	{kind: "browserbase-key", prefix: "bb_live_", class: dashed, min: 27, bound: true},
	{kind: "browserbase-key", prefix: "bb_test_", class: dashed, min: 27, max: 40, bound: true, check: random},
	{kind: "snyk-token", prefix: "snyk_uat.|snyk_sat.", class: dotted, min: 30, bound: true},
	{kind: "tailscale-key", prefix: "tskey-", class: dashed, min: 20, bound: true, check: random},
	{kind: "defined-networking-token", prefix: "dnkey-", class: joined, min: 60, bound: true},
	{kind: "yandex-key", prefix: "AQVN", class: dashed, min: 35, max: 38, bound: true},
	{kind: "yandex-token", prefix: "t1.", class: token68, min: 86, bound: true},
	{kind: "netlify-token", prefix: "nfp_", class: alnum, min: 30, bound: true},
	{kind: "render-key", prefix: "rnd_", class: alnum, min: 24, max: 48, alone: true, check: drawnMixed},
	{kind: "octopus-key", prefix: "API-", class: upper, min: 25, max: 32, alone: true, check: hasDigit},
	{kind: "harness-key", prefix: "pat.|sat.", class: dotted, min: 60, bound: true, check: isHarness},
	{kind: "prefect-key", prefix: "pnu_", class: alnum, min: 36, bound: true},
	{kind: "launchdarkly-key", prefix: "sdk-|mob-|api-", class: dashed, min: 36, max: 36, bound: true, check: uuid},

	// The address of a calendar, which is all that its events are kept by.
	{kind: "calendar-address", prefix: "/private-", class: hex, min: 32, max: 32, check: hasDigit},

	// Forges and build services.
	{kind: "github-token", prefix: "ghp_|gho_|ghu_|ghr_", class: alnum, min: 30},
	{kind: "github-token", prefix: "ghs_", class: dotted, min: 30},
	{kind: "github-token", prefix: "github_pat_", class: word, min: 22},
	{kind: "gitlab-token", prefix: "glpat-", class: dotted, min: 20},
	{kind: "gitlab-token", prefix: "gldt-|glptt-|glcbt-|glsoat-|glft-|glffct-|glimt-|glwt-|GR1348941", class: dashed, min: 20, bound: true},
	{kind: "gitlab-token", prefix: "glrt-|glrtr-", class: dotted, min: 20, bound: true},
	{kind: "gitlab-token", prefix: "glagent-|gloas-", class: dashed, min: 40, bound: true},
	{kind: "bitbucket-token", prefix: "ATCTT3", class: token68, min: 40, bound: true},
	{kind: "bitbucket-token", prefix: "ATBB", class: alnum, min: 24, max: 48, alone: true, check: drawnMixed},
	{kind: "atlassian-token", prefix: "ATATT3|ATSTT3", class: token68, min: 40, bound: true},
	{kind: "sourcegraph-token", prefix: "sgp_", class: word, min: 40, bound: true, check: hasDigit},
	{kind: "sourcegraph-token", prefix: "sgd_", class: hex, min: 64, bound: true},
	{kind: "circleci-token", prefix: "CCIPAT_|CCIPRJ_", class: word, min: 40, bound: true},
	{kind: "buildkite-token", prefix: "bkua_", class: hex, min: 40, bound: true},
	{kind: "sonar-token", prefix: "squ_|sqp_|sqa_", class: hex, min: 40, bound: true},
	{kind: "artifactory-token", prefix: "AKCp", class: alnum, min: 60, bound: true},
	{kind: "artifactory-token", prefix: "cmVmd", class: alnum, min: 59, max: 59, alone: true, check: drawnMixed},
	{kind: "linear-key", prefix: "lin_api_|lin_oauth_", class: alnum, min: 30},
	{kind: "postman-key", prefix: "PMAK-", class: dashed, min: 50, bound: true},
	{kind: "readme-key", prefix: "rdme_", class: alnum, min: 60, bound: true},
	{kind: "figma-token", prefix: "figd_", class: dashed, min: 36, bound: true},
	{kind: "notion-token", prefix: "ntn_", class: alnum, min: 40, bound: true, check: hasDigit},
	{kind: "notion-token", prefix: "secret_", class: alnum, min: 43, max: 43, bound: true, check: drawnMixed},
	{kind: "airtable-token", prefix: "pat", class: dotted, min: 79, max: 79, bound: true, check: isAirtable},
	{kind: "typeform-token", prefix: "tfp_", class: token68, min: 40, bound: true, check: hasDigit},
	{kind: "contentful-token", prefix: "CFPAT-", class: dashed, min: 40, bound: true},

	// Chat.
	{kind: "slack-token", prefix: "xoxa-|xoxb-|xoxc-|xoxp-|xoxr-|xoxs-|xoxe-|xoxe.xox", class: dashed, min: 10, check: hasDigit},
	{kind: "slack-token", prefix: "xoxd-", class: escaped, min: 10, check: hasDigit},
	{kind: "slack-token", prefix: "xoxo-", class: dashed, min: 20, check: hasDigit},
	{kind: "slack-token", prefix: "xapp-", class: dashed, min: 20, bound: true, check: hasDigit},
	{kind: "slack-webhook", prefix: "hooks.slack.com/services/|hooks.slack.com/workflows/|hooks.slack.com/triggers/", class: joined, min: 16, keep: true},
	{kind: "discord-webhook", prefix: "discord.com/api/webhooks/|discordapp.com/api/webhooks/", class: path, min: 30, keep: true},
	{kind: "zapier-webhook", prefix: "hooks.zapier.com/hooks/catch/", class: path, min: 10, keep: true},
	{kind: "ifttt-webhook", prefix: "/with/key/", class: dashed, min: 20, keep: true, check: random},
	{kind: "webhook", prefix: "/api/webhook/", class: dashed, min: 20, keep: true, check: random},
	{kind: "webhook", prefix: "/api/push/", class: alnum, min: 10, max: 32, keep: true, check: random},
	{kind: "webhook", prefix: "/hooks/", class: path, min: 26, max: 80, keep: true, check: random},
	{kind: "webhook", prefix: "hc-ping.com/", class: dashed, min: 22, keep: true, check: random},
	{kind: "webhook", prefix: "/bot/v2/hook/", class: dashed, min: 36, keep: true, check: uuid},
	{kind: "webhook", prefix: "/webhook/", class: dashed, min: 36, max: 36, keep: true, check: uuid},
	{kind: "webhook", prefix: "pagerduty.com/integration/", class: alnum, min: 32, max: 32, keep: true},
	{kind: "node-key", prefix: ".infura.io/v3/", class: hex, min: 32, max: 32, keep: true},
	{kind: "node-key", prefix: ".alchemy.com/v2/", class: dashed, min: 20, keep: true, check: random},
	{kind: "node-key", prefix: ".quiknode.pro/", class: hex, min: 32, keep: true},
	{kind: "onesignal-key", prefix: "os_v2_app_|os_v2_org_", class: alnum, min: 60, bound: true},
	{kind: "cloudflare-tunnel-token", prefix: "eyJhIjoi", class: base64s, min: 100, bound: true},
	{kind: "minisign-key", prefix: "RWRTY0Iy", class: base64s, min: 100, bound: true},
	{kind: "nostr-key", prefix: "nsec1", class: alnum, min: 58, max: 58, bound: true},
	{kind: "k3s-token", prefix: "::server:|::node:", class: alnum, min: 16, left: alnum, lmin: 50, lmax: 70},
	{kind: "teams-webhook", prefix: ".webhook.office.com/webhookb2/", class: address, min: 60, keep: true},
	{kind: "telegram-token", prefix: ":AA", class: dashed, min: 32, max: 34, left: digit, lmin: 8, lmax: 11},
	{kind: "facebook-token", prefix: "EAAC|EAAM", class: alnum, min: 90, bound: true},
	{kind: "twitter-bearer", prefix: "AAAAAAAAAAAAAAAAAAAAA", class: escaped, min: 40, max: 160, bound: true, check: hasEscape},

	// AI.
	{kind: "anthropic-key", prefix: "sk-ant-", class: dashed, min: 16},
	{kind: "openai-key", prefix: "sk-proj-|sk-svcacct-|sk-None-", class: dashed, min: 20, bound: true},
	{kind: "openai-key", prefix: "sk-admin-", class: dashed, min: 20, bound: true, check: random},
	{kind: "langfuse-key", prefix: "sk-lf-", class: dashed, min: 36, bound: true, check: uuid},
	{kind: "openrouter-key", prefix: "sk-or-", class: dashed, min: 30, bound: true, check: hasDigit},
	{kind: "openai-key", prefix: "sk-", class: alnum, min: 20, bound: true, check: longOrDigit},
	{kind: "huggingface-token", prefix: "hf_", class: alnum, min: 30, max: 40, bound: true},
	{kind: "huggingface-token", prefix: "api_org_", class: alnum, min: 30, bound: true},
	{kind: "perplexity-key", prefix: "pplx-", class: alnum, min: 40, bound: true},
	{kind: "groq-key", prefix: "gsk_", class: alnum, min: 40, bound: true},
	{kind: "replicate-token", prefix: "r8_", class: alnum, min: 37, max: 37, alone: true},
	{kind: "xai-key", prefix: "xai-", class: alnum, min: 60, bound: true},
	{kind: "langsmith-key", prefix: "lsv2_", class: word, min: 40, bound: true},
	{kind: "together-key", prefix: "tgp_v1_", class: dashed, min: 40, bound: true},
	{kind: "cerebras-key", prefix: "csk-", class: alnum, min: 40, bound: true, check: hasDigit},
	{kind: "jina-key", prefix: "jina_", class: alnum, min: 50, bound: true},
	{kind: "e2b-key", prefix: "e2b_", class: hex, min: 40, bound: true},
	{kind: "firecrawl-key", prefix: "fc-", class: hex, min: 32, max: 32, alone: true, bound: true, check: hexOnly},
	// Brave states no form; keys that people leaked have 28 characters behind these.
	{kind: "brave-key", prefix: "BSA", class: dashed, min: 28, max: 28, alone: true, bound: true, check: drawnMixed},
	{kind: "nvidia-key", prefix: "nvapi-", class: dashed, min: 50, bound: true},
	{kind: "pinecone-key", prefix: "pcsk_", class: word, min: 50, bound: true},
	{kind: "elevenlabs-key", prefix: "sk_", class: hex, min: 48, max: 48, alone: true},
	{kind: "tavily-key", prefix: "tvly-", class: dashed, min: 24, bound: true, check: random},
	{kind: "fireworks-key", prefix: "fw_", class: alnum, min: 20, max: 40, alone: true, check: drawnMixed},
	{kind: "wandb-key", prefix: "wandb_v1_", class: dashed, min: 40, bound: true},

	// Payment and trade.
	{kind: "stripe-key", prefix: "sk_live_|sk_test_|sk_prod_|rk_live_|rk_test_|rk_prod_", class: alnum, min: 10},
	{kind: "stripe-key", prefix: "whsec_", class: base64s, min: 24, bound: true},
	{kind: "square-token", prefix: "EAAA", class: dashed, min: 22, max: 64, alone: true, check: drawnMixed},
	{kind: "square-token", prefix: "sq0atp-", class: dashed, min: 22, bound: true},
	{kind: "square-token", prefix: "sq0csp-", class: dashed, min: 40, bound: true},
	{kind: "braintree-token", prefix: "access_token$production$|access_token$sandbox$", class: escaped, min: 40},
	{kind: "shopify-token", prefix: "shpat_|shpca_|shppa_|shpss_", class: alnum, min: 32},
	{kind: "flutterwave-key", prefix: "FLWSECK|FLWPUBK", class: dashed, min: 12, bound: true, check: hasDigit},
	{kind: "plaid-token", prefix: "access-production-|access-development-|access-sandbox-", class: dashed, min: 36, check: uuid},
	{kind: "duffel-token", prefix: "duffel_live_|duffel_test_", class: joined, min: 40},
	{kind: "easypost-key", prefix: "EZAK|EZTK", class: alnum, min: 54, alone: true},
	{kind: "shippo-token", prefix: "shippo_live_|shippo_test_", class: hex, min: 40},
	{kind: "razorpay-key", prefix: "rzp_live_|rzp_test_", class: alnum, min: 14, bound: true},
	{kind: "paddle-key", prefix: "pdl_live_apikey_|pdl_sdbx_apikey_", class: word, min: 40, bound: true},
	{kind: "paddle-key", prefix: "pdl_ntfset_", class: dashed, min: 40, bound: true},
	// polar_oat_, polar_pat_, polar_at_u_ and others: the source of Polar has a score of them.
	{kind: "polar-token", prefix: "polar_", class: word, min: 40, bound: true, check: drawnTail},
	{kind: "lob-key", prefix: "live_pub_|test_pub_", class: hex, min: 31, bound: true},
	{kind: "payment-key", prefix: "live_", class: dashed, min: 30, max: 48, bound: true, check: random},
	{kind: "payment-key", prefix: "test_", class: alnum, min: 30, max: 48, bound: true, check: random},

	// Packages.
	{kind: "npm-token", prefix: "npm_", class: alnum, min: 30, bound: true},
	{kind: "pypi-token", prefix: "pypi-", class: dashed, min: 32, bound: true, check: mixedCase},
	{kind: "rubygems-key", prefix: "rubygems_", class: hex, min: 48, bound: true},
	{kind: "nuget-key", prefix: "oy2", class: alnum, min: 43, max: 43, bound: true, check: hasDigit},
	{kind: "clojars-token", prefix: "CLOJARS_", class: alnum, min: 40},
	{kind: "crates-token", prefix: "cio", class: alnum, min: 32, max: 32, alone: true, check: drawnMixed},
	{kind: "docker-token", prefix: "dckr_pat_|dckr_oat_", class: dashed, min: 20},

	// Observability.
	{kind: "newrelic-key", prefix: "NRAK-|NRRA-", class: alnum, min: 24, bound: true},
	{kind: "newrelic-key", prefix: "NRII-", class: dashed, min: 24, bound: true},
	{kind: "newrelic-key", prefix: "NRJS-", class: hex, min: 16, bound: true},
	{kind: "grafana-token", prefix: "eyJrIjoi", class: base64s, min: 60, bound: true},
	{kind: "grafana-token", prefix: "glc_", class: base64s, min: 32, bound: true},
	{kind: "grafana-token", prefix: "glsa_", class: word, min: 40, bound: true},
	{kind: "sentry-token", prefix: "sntrys_", class: joined, min: 60, bound: true},
	{kind: "sentry-token", prefix: "sntryu_", class: hex, min: 60, bound: true},
	{kind: "dynatrace-token", prefix: "dt0c01.|dt0s01.|dt0s16.", class: dotted, min: 80, bound: true},
	{kind: "honeycomb-key", prefix: "hcaik_|hcxik_", class: alnum, min: 50, bound: true},
	{kind: "posthog-key", prefix: "phx_", class: alnum, min: 40, bound: true},

	// Mail, telephone and the rest.
	{kind: "sendgrid-key", prefix: "SG.", class: token68, min: 40, bound: true, check: hasDigit},
	{kind: "sendinblue-key", prefix: "xkeysib-", class: dashed, min: 60, bound: true},
	{kind: "mailgun-key", prefix: "key-|pubkey-", class: hex, min: 32, max: 32, bound: true, check: hexOnly},
	{kind: "mailchimp-key", prefix: "-us", class: digit, min: 1, max: 2, left: hex, lmin: 32, lmax: 32},
	{kind: "resend-key", prefix: "re_", class: word, min: 24, max: 40, alone: true, check: isResend},
	{kind: "twilio-key", prefix: "SK", class: hex, min: 32, max: 32, alone: true, check: hexOnly},
	{kind: "frameio-token", prefix: "fio-u-", class: joined, min: 60, bound: true},
	{kind: "maxmind-key", prefix: "_mmk", class: alnum, left: word, lmin: 30, lmax: 40, check: drawnMixed},
	{kind: "mapbox-token", prefix: "sk.eyJ", class: dotted, min: 60, bound: true},
	{kind: "adobe-secret", prefix: "p8e-", class: alnum, min: 30, bound: true, check: hasDigit},
	{kind: "dropbox-token", prefix: "sl.", class: joined, min: 100, bound: true, check: hasDigit},
	{kind: "hubspot-token", prefix: "pat-na1-|pat-na2-|pat-eu1-", class: dashed, min: 36, bound: true, check: uuid},
	{kind: "intra42-secret", prefix: "s-s4t2ud-|s-s4t2af-", class: hex, min: 60, bound: true},
	{kind: "settlemint-token", prefix: "sm_aat_|sm_pat_|sm_sat_", class: alnum, min: 16, bound: true},
	{kind: "onepassword-key", prefix: "A3-", class: dashed, min: 30, max: 37, bound: true, check: isOnePassword},
	{kind: "onepassword-token", prefix: "ops_eyJ", class: base64s, min: 200, bound: true},
	{kind: "authress-key", prefix: "sc_|ext_|scauth_|authress_", class: token68, min: 60, bound: true, check: isAuthress},
	{kind: "age-key", prefix: "AGE-SECRET-KEY-1|AGE-SECRET-KEY-PQ-1", class: alnum, min: 40},

	// Hashes of passwords, which can be guessed at leisure.
	{kind: "password-hash", prefix: "$2a$|$2b$|$2y$", class: hashed, min: 50},
	{kind: "password-hash", prefix: "$6$", class: hashed, min: 80},
	{kind: "password-hash", prefix: "$5$|$y$", class: hashed, min: 44},
	{kind: "password-hash", prefix: "$apr1$", class: hashed, min: 24},
	{kind: "password-hash", prefix: "$argon2", class: hashed, min: 60},
}

func isHarness(s string) bool { return parts(s, ".", 22, 24, 20) }

func isAirtable(s string) bool { return parts(s, ".", 14, 64) && hex.all(s[15:]) }

func isResend(s string) bool { return parts(s, "_", 8, 0) && drawnMixed(s) }

// drawnTail looks at what stands behind the last sign that joins words.
func drawnTail(s string) bool {
	tail := s[strings.LastIndexByte(s, '_')+1:]
	return len(tail) >= 37 && drawnMixed(tail)
}

func isOnePassword(s string) bool {
	return hasDigit(s) && (parts(s, "-", 6, 11, 5, 5, 5) || parts(s, "-", 6, 6, 5, 5, 5, 5))
}

func isAuthress(s string) bool {
	return strings.Contains(s, ".acc-") || strings.Contains(s, ".acc_")
}

// hasEscape: the padding of a bearer token of Twitter is escaped as in a URL,
// which tells it from other base64 of zeros.
func hasEscape(s string) bool { return strings.Contains(s, "%") && hasDigit(s) }
