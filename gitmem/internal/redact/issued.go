package redact

import "strings"

// issued lists the forms that issuers document for their credentials, or that
// scanners of repositories publish, those of one form in one row. Longer beginnings of
// one issuer come before shorter ones.
var issued = [...]token{
	{of: "aws-access-key-id AKIA|ASIA|ABIA", class: upper, min: 16, bound: true},
	{of: "aws-access-key-id ACCA", class: upper, min: 16, bound: true, check: hasDigit},
	{of: "aws-access-key-id A3T", class: upper, min: 17, max: 17, bound: true, check: hasDigit},
	{of: "aws-bedrock-key ABSK, fly-token fm1a_|fm1r_|fm2_, cloudflare-tunnel-token eyJhIjoi, minisign-key RWRTY0Iy", class: base64s, min: 100, bound: true},
	{of: "aws-bedrock-key bedrock-api-key-", class: base64s, min: 40},
	{of: "google-api-key AIza", class: dashed, min: 35, bound: true},
	{of: "google-oauth GOCSPX-, gitlab-token gldt-|glptt-|glcbt-|glsoat-|glft-|glffct-|glimt-|glwt-|GR1348941, openai-key sk-proj-|sk-svcacct-|sk-None-", class: dashed, min: 20, bound: true},
	{of: "google-oauth ya29., gitlab-token glrt-|glrtr-", class: dotted, min: 20, bound: true},
	{of: "google-oauth 1//0", class: dashed, min: 40, bound: true, check: random},
	// The keys of Gemini since 2026, and of Vertex AI's express mode.
	{of: "google-api-key AQ.Ab", class: dashed, min: 45, bound: true},
	{of: "gcs-hmac-id GOOG", class: upper, min: 20, max: 20, bound: true, check: hasDigit},
	{of: "gcs-hmac-id GOOG1", class: upper, min: 56, max: 56, bound: true},
	{of: "google-fcm-key :APA91b", class: dashed, min: 100, left: dashed, lmin: 11, lmax: 22},
	{of: "azure-client-secret 0Q~|1Q~|2Q~|3Q~|4Q~|5Q~|6Q~|7Q~|8Q~|9Q~", class: tilde, min: 31, max: 36, left: tilde, lmin: 3, lmax: 3},
	{of: "azure-devops-token AZDO", class: alnum, min: 4, max: 4, left: alnum, lmin: 76, lmax: 76},
	// Microsoft's annotated form: 52 random characters, this mark, then what the key is for.
	{of: "azure-ai-key JQQJ99", class: alnum, min: 20, max: 32, left: alnum, lmin: 50, lmax: 54},
	{of: "alibaba-access-key-id LTAI", class: alnum, min: 16, max: 24, bound: true, check: hasDigit},
	{of: "tencent-secret-id AKID", class: alnum, min: 32, max: 48, alone: true, check: drawnMixed},
	{of: "digitalocean-token dop_v1_|doo_v1_|dor_v1_, clojars-token CLOJARS_, age-key AGE-SECRET-KEY-1|AGE-SECRET-KEY-PQ-1", class: alnum, min: 40},
	{of: "heroku-key HRKU-", class: dashed, min: 36, bound: true, check: hasDigit},
	{of: "fly-token fo1_", class: dashed, min: 43, bound: true},
	{of: "cloudflare-origin-key v1.0-", class: dashed, min: 160, bound: true, check: hasDigit},
	{of: "cloudflare-key cfk_|cfut_|cfat_", class: alnum, min: 48, bound: true},
	{of: "vault-token hvs.|hvr., supabase-token sb_secret_, tailscale-key tskey-, openai-key sk-admin-", class: dashed, min: 20, bound: true, check: random},
	{of: "vault-token hvb.", class: dashed, min: 100, bound: true},
	{of: "vault-token s.", class: alnum, min: 24, max: 24, alone: true, check: drawnMixed},
	{of: "terraform-token .atlasv1.", class: joined, min: 40, left: alnum, lmin: 14, lmax: 14},
	{of: "pulumi-token pul-", class: hex, min: 40, max: 40, bound: true},
	{of: "doppler-token dp.pt.|dp.ct.|dp.sa.|dp.scim., perplexity-key pplx-, groq-key gsk_, posthog-key phx_", class: alnum, min: 40, bound: true},
	{of: "doppler-token dp.st.", class: dotted, min: 40, bound: true, check: random},
	{of: "infracost-key ico-", class: alnum, min: 32, max: 32, alone: true, check: hasDigit},
	{of: "scalingo-token tk-us-", class: dashed, min: 40, max: 60, bound: true, check: random},
	{of: "planetscale-token pscale_tkn_|pscale_oauth_|pscale_pw_", class: token68, min: 30, bound: true},
	{of: "databricks-token dapi", class: hex, min: 32, max: 32, bound: true, check: hasDigit},
	{of: "clickhouse-key 4b1d", class: alnum, min: 38, max: 38, bound: true, check: mixedCase},
	{of: "openshift-token sha256~", class: dashed, min: 43, max: 43, bound: true},
	{of: "supabase-token sbp_, buildkite-token bkua_, sonar-token squ_|sqp_|sqa_, e2b-key e2b_", class: hex, min: 40, bound: true},
	{of: "vercel-token vercel_blob_rw_", class: word, min: 30},
	{of: "vercel-token vcp_|vci_|vca_|vcr_|vck_", class: dashed, min: 56, bound: true},
	{of: "neon-key napi_, artifactory-token AKCp, readme-key rdme_, onesignal-key os_v2_app_|os_v2_org_, xai-key xai-", class: alnum, min: 60, bound: true},
	// RunPod says the prefix only; keys that people leaked have 40 to 46 characters.
	{of: "runpod-key rpa_", class: alnum, min: 36, bound: true, check: hasDigit},
	{of: "apify-token apify_api_, netlify-token nfp_, huggingface-token api_org_, npm-token npm_", class: alnum, min: 30, bound: true},
	{of: "browserbase-key bb_live_", class: dashed, min: 27, bound: true},
	{of: "browserbase-key bb_test_", class: dashed, min: 27, max: 40, bound: true, check: random},
	{of: "snyk-token snyk_uat.|snyk_sat.", class: dotted, min: 30, bound: true},
	{of: "defined-networking-token dnkey-, sentry-token sntrys_, frameio-token fio-u-", class: joined, min: 60, bound: true},
	{of: "yandex-key AQVN", class: dashed, min: 35, max: 38, bound: true},
	{of: "yandex-token t1.", class: token68, min: 86, bound: true},
	{of: "render-key rnd_, bitbucket-token ATBB", class: alnum, min: 24, max: 48, alone: true, check: drawnMixed},
	{of: "octopus-key API-", class: upper, min: 25, max: 32, alone: true, check: hasDigit},
	{of: "harness-key pat.|sat.", class: dotted, min: 60, bound: true, check: isHarness},
	{of: "prefect-key pnu_", class: alnum, min: 36, bound: true},
	{of: "launchdarkly-key sdk-|mob-|api-", class: dashed, min: 36, max: 36, bound: true, check: uuid},

	// The address of a calendar, which is all that its events are kept by.
	{of: "calendar-address /private-", class: hex, min: 32, max: 32, check: hasDigit},

	{of: "github-token ghp_|gho_|ghu_|ghr_, linear-key lin_api_|lin_oauth_", class: alnum, min: 30},
	{of: "github-token ghs_", class: dotted, min: 30},
	{of: "github-token github_pat_", class: word, min: 22},
	{of: "gitlab-token glpat-", class: dotted, min: 20},
	{of: "gitlab-token glagent-|gloas-, contentful-token CFPAT-, together-key tgp_v1_, wandb-key wandb_v1_, square-token sq0csp-, paddle-key pdl_ntfset_", class: dashed, min: 40, bound: true},
	{of: "bitbucket-token ATCTT3, atlassian-token ATATT3|ATSTT3", class: token68, min: 40, bound: true},
	{of: "sourcegraph-token sgp_", class: word, min: 40, bound: true, check: hasDigit},
	{of: "sourcegraph-token sgd_", class: hex, min: 64, bound: true},
	{of: "circleci-token CCIPAT_|CCIPRJ_, langsmith-key lsv2_, paddle-key pdl_live_apikey_|pdl_sdbx_apikey_, grafana-token glsa_", class: word, min: 40, bound: true},
	{of: "artifactory-token cmVmd", class: alnum, min: 59, max: 59, alone: true, check: drawnMixed},
	{of: "postman-key PMAK-, nvidia-key nvapi-", class: dashed, min: 50, bound: true},
	{of: "figma-token figd_", class: dashed, min: 36, bound: true},
	{of: "notion-token ntn_, cerebras-key csk-", class: alnum, min: 40, bound: true, check: hasDigit},
	{of: "notion-token secret_", class: alnum, min: 43, max: 43, bound: true, check: drawnMixed},
	{of: "airtable-token pat", class: dotted, min: 79, max: 79, bound: true, check: isAirtable},
	{of: "typeform-token tfp_, sendgrid-key SG.", class: token68, min: 40, bound: true, check: hasDigit},

	{of: "slack-token xoxa-|xoxb-|xoxc-|xoxp-|xoxr-|xoxs-|xoxe-|xoxe.xox", class: dashed, min: 10, check: hasDigit},
	{of: "slack-token xoxd-", class: escaped, min: 10, check: hasDigit},
	{of: "slack-token xoxo-", class: dashed, min: 20, check: hasDigit},
	{of: "slack-token xapp-", class: dashed, min: 20, bound: true, check: hasDigit},
	{of: "slack-webhook hooks.slack.com/services/|hooks.slack.com/workflows/|hooks.slack.com/triggers/", class: joined, min: 16, keep: true},
	{of: "discord-webhook discord.com/api/webhooks/|discordapp.com/api/webhooks/", class: path, min: 30, keep: true},
	{of: "zapier-webhook hooks.zapier.com/hooks/catch/", class: path, min: 10, keep: true},
	{of: "ifttt-webhook /with/key/, webhook /api/webhook/, node-key .alchemy.com/v2/", class: dashed, min: 20, keep: true, check: random},
	{of: "webhook /api/push/", class: alnum, min: 10, max: 32, keep: true, check: random},
	{of: "webhook /hooks/", class: path, min: 26, max: 80, keep: true, check: random},
	{of: "webhook hc-ping.com/", class: dashed, min: 22, keep: true, check: random},
	{of: "webhook /bot/v2/hook/", class: dashed, min: 36, keep: true, check: uuid},
	{of: "webhook /webhook/", class: dashed, min: 36, max: 36, keep: true, check: uuid},
	{of: "webhook pagerduty.com/integration/", class: alnum, min: 32, max: 32, keep: true},
	{of: "node-key .infura.io/v3/", class: hex, min: 32, max: 32, keep: true},
	{of: "node-key .quiknode.pro/", class: hex, min: 32, keep: true},
	{of: "nostr-key nsec1", class: alnum, min: 58, max: 58, bound: true},
	{of: "k3s-token ::server:|::node:", class: alnum, min: 16, left: alnum, lmin: 50, lmax: 70},
	{of: "teams-webhook .webhook.office.com/webhookb2/", class: address, min: 60, keep: true},
	{of: "telegram-token :AA", class: dashed, min: 32, max: 34, left: digit, lmin: 8, lmax: 11},
	{of: "facebook-token EAAC|EAAM", class: alnum, min: 90, bound: true},
	{of: "twitter-bearer AAAAAAAAAAAAAAAAAAAAA", class: escaped, min: 40, max: 160, bound: true, check: hasEscape},

	{of: "anthropic-key sk-ant-", class: dashed, min: 16},
	{of: "langfuse-key sk-lf-, hubspot-token pat-na1-|pat-na2-|pat-eu1-", class: dashed, min: 36, bound: true, check: uuid},
	{of: "openrouter-key sk-or-", class: dashed, min: 30, bound: true, check: hasDigit},
	{of: "openai-key sk-", class: alnum, min: 20, bound: true, check: longOrDigit},
	{of: "huggingface-token hf_", class: alnum, min: 30, max: 40, bound: true},
	{of: "replicate-token r8_", class: alnum, min: 37, max: 37, alone: true},
	{of: "jina-key jina_, honeycomb-key hcaik_|hcxik_", class: alnum, min: 50, bound: true},
	{of: "firecrawl-key fc-", class: hex, min: 32, max: 32, alone: true, bound: true, check: hexOnly},
	// Brave states no form; keys that people leaked have 28 characters behind these.
	{of: "brave-key BSA", class: dashed, min: 28, max: 28, alone: true, bound: true, check: drawnMixed},
	{of: "pinecone-key pcsk_", class: word, min: 50, bound: true},
	{of: "elevenlabs-key sk_", class: hex, min: 48, max: 48, alone: true},
	{of: "tavily-key tvly-", class: dashed, min: 24, bound: true, check: random},
	{of: "fireworks-key fw_", class: alnum, min: 20, max: 40, alone: true, check: drawnMixed},

	{of: "stripe-key sk_live_|sk_test_|sk_prod_|rk_live_|rk_test_|rk_prod_", class: alnum, min: 10},
	{of: "stripe-key whsec_", class: base64s, min: 24, bound: true},
	{of: "square-token EAAA", class: dashed, min: 22, max: 64, alone: true, check: drawnMixed},
	{of: "square-token sq0atp-", class: dashed, min: 22, bound: true},
	{of: "braintree-token access_token$production$|access_token$sandbox$", class: escaped, min: 40},
	{of: "shopify-token shpat_|shpca_|shppa_|shpss_", class: alnum, min: 32},
	{of: "flutterwave-key FLWSECK|FLWPUBK", class: dashed, min: 12, bound: true, check: hasDigit},
	{of: "plaid-token access-production-|access-development-|access-sandbox-", class: dashed, min: 36, check: uuid},
	{of: "duffel-token duffel_live_|duffel_test_", class: joined, min: 40},
	{of: "easypost-key EZAK|EZTK", class: alnum, min: 54, alone: true},
	{of: "shippo-token shippo_live_|shippo_test_", class: hex, min: 40},
	{of: "razorpay-key rzp_live_|rzp_test_", class: alnum, min: 14, bound: true},
	// polar_oat_, polar_pat_, polar_at_u_ and others: the source of Polar has a score of them.
	{of: "polar-token polar_", class: word, min: 40, bound: true, check: drawnTail},
	{of: "lob-key live_pub_|test_pub_", class: hex, min: 31, bound: true},
	{of: "payment-key live_", class: dashed, min: 30, max: 48, bound: true, check: random},
	{of: "payment-key test_", class: alnum, min: 30, max: 48, bound: true, check: random},

	{of: "pypi-token pypi-", class: dashed, min: 32, bound: true, check: mixedCase},
	{of: "rubygems-key rubygems_", class: hex, min: 48, bound: true},
	{of: "nuget-key oy2", class: alnum, min: 43, max: 43, bound: true, check: hasDigit},
	{of: "crates-token cio", class: alnum, min: 32, max: 32, alone: true, check: drawnMixed},
	{of: "docker-token dckr_pat_|dckr_oat_", class: dashed, min: 20},

	{of: "newrelic-key NRAK-|NRRA-", class: alnum, min: 24, bound: true},
	{of: "newrelic-key NRII-", class: dashed, min: 24, bound: true},
	{of: "newrelic-key NRJS-", class: hex, min: 16, bound: true},
	{of: "grafana-token eyJrIjoi", class: base64s, min: 60, bound: true},
	{of: "grafana-token glc_", class: base64s, min: 32, bound: true},
	{of: "sentry-token sntryu_, intra42-secret s-s4t2ud-|s-s4t2af-", class: hex, min: 60, bound: true},
	{of: "dynatrace-token dt0c01.|dt0s01.|dt0s16.", class: dotted, min: 80, bound: true},

	{of: "sendinblue-key xkeysib-", class: dashed, min: 60, bound: true},
	{of: "mailgun-key key-|pubkey-", class: hex, min: 32, max: 32, bound: true, check: hexOnly},
	{of: "mailchimp-key -us", class: digit, min: 1, max: 2, left: hex, lmin: 32, lmax: 32},
	{of: "resend-key re_", class: word, min: 24, max: 40, alone: true, check: isResend},
	{of: "twilio-key SK", class: hex, min: 32, max: 32, alone: true, check: hexOnly},
	{of: "maxmind-key _mmk", class: alnum, left: word, lmin: 30, lmax: 40, check: drawnMixed},
	{of: "mapbox-token sk.eyJ", class: dotted, min: 60, bound: true},
	{of: "adobe-secret p8e-", class: alnum, min: 30, bound: true, check: hasDigit},
	{of: "dropbox-token sl.", class: joined, min: 100, bound: true, check: hasDigit},
	{of: "settlemint-token sm_aat_|sm_pat_|sm_sat_", class: alnum, min: 16, bound: true},
	{of: "onepassword-key A3-", class: dashed, min: 30, max: 37, bound: true, check: isOnePassword},
	{of: "onepassword-token ops_eyJ", class: base64s, min: 200, bound: true},
	{of: "authress-key sc_|ext_|scauth_|authress_", class: token68, min: 60, bound: true, check: isAuthress},

	// Hashes of passwords, which can be guessed at leisure.
	{of: "password-hash $2a$|$2b$|$2y$", class: hashed, min: 50},
	{of: "password-hash $6$", class: hashed, min: 80},
	{of: "password-hash $5$|$y$", class: hashed, min: 44},
	{of: "password-hash $apr1$", class: hashed, min: 24},
	{of: "password-hash $argon2", class: hashed, min: 60},
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
