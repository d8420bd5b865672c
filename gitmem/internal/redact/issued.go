package redact

import "strings"

// issued lists the formats that issuers document for their credentials, or that secret scanners publish. Longer
// prefixes of one issuer precede shorter ones.
var issued = [...]token{
	// Clouds and hosts.
	{kind: "aws-access-key-id", prefixes: []string{"AKIA", "ASIA", "ABIA"}, class: upper, min: 16, bound: true},
	{kind: "aws-access-key-id", prefixes: []string{"ACCA"}, class: upper, min: 16, bound: true, check: hasDigit},
	{kind: "aws-access-key-id", prefixes: []string{"A3T"}, class: upper, min: 17, max: 17, bound: true, check: hasDigit},
	{kind: "aws-bedrock-key", prefixes: []string{"ABSK"}, class: base64s, min: 100, bound: true},
	{kind: "aws-bedrock-key", prefixes: []string{"bedrock-api-key-"}, class: base64s, min: 40},
	{kind: "google-api-key", prefixes: []string{"AIza"}, class: dashed, min: 35, bound: true},
	{kind: "google-oauth", prefixes: []string{"GOCSPX-"}, class: dashed, min: 20, bound: true},
	{kind: "google-oauth", prefixes: []string{"ya29."}, class: dotted, min: 20, bound: true},
	{kind: "google-oauth", prefixes: []string{"1//0"}, class: dashed, min: 40, bound: true, check: random},
	// The keys of Gemini since 2026, and of Vertex AI's express mode.
	{kind: "google-api-key", prefixes: []string{"AQ.Ab"}, class: dashed, min: 45, bound: true},
	{kind: "gcs-hmac-id", prefixes: []string{"GOOG"}, class: upper, min: 20, max: 20, bound: true, check: hasDigit},
	{kind: "gcs-hmac-id", prefixes: []string{"GOOG1"}, class: upper, min: 56, max: 56, bound: true},
	{kind: "google-fcm-key", prefixes: []string{":APA91b"}, class: dashed, min: 100, left: dashed, lmin: 11, lmax: 22},
	{kind: "azure-client-secret", prefixes: []string{"0Q~", "1Q~", "2Q~", "3Q~", "4Q~", "5Q~", "6Q~", "7Q~", "8Q~", "9Q~"},
		class: tilde, min: 31, max: 36, left: tilde, lmin: 3, lmax: 3},
	{kind: "azure-devops-token", prefixes: []string{"AZDO"}, class: alnum, min: 4, max: 4, left: alnum,
		lmin: 76, lmax: 76},
	// Microsoft's annotated form: 52 random characters, this mark, then the service of the
	// key.
	{kind: "azure-ai-key", prefixes: []string{"JQQJ99"}, class: alnum, min: 20, max: 32, left: alnum, lmin: 50, lmax: 54},
	{kind: "alibaba-access-key-id", prefixes: []string{"LTAI"}, class: alnum, min: 16, max: 24, bound: true,
		check: hasDigit},
	{kind: "tencent-secret-id", prefixes: []string{"AKID"}, class: alnum, min: 32, max: 48, alone: true,
		check: randomMixed},
	{kind: "digitalocean-token", prefixes: []string{"dop_v1_", "doo_v1_", "dor_v1_"}, class: alnum, min: 40},
	{kind: "heroku-key", prefixes: []string{"HRKU-"}, class: dashed, min: 36, bound: true, check: hasDigit},
	{kind: "fly-token", prefixes: []string{"fo1_"}, class: dashed, min: 43, bound: true},
	{kind: "fly-token", prefixes: []string{"fm1a_", "fm1r_", "fm2_"}, class: base64s, min: 100, bound: true},
	{kind: "cloudflare-origin-key", prefixes: []string{"v1.0-"}, class: dashed, min: 160, bound: true, check: hasDigit},
	{kind: "cloudflare-key", prefixes: []string{"cfk_", "cfut_", "cfat_"}, class: alnum, min: 48, bound: true},
	{kind: "vault-token", prefixes: []string{"hvs.", "hvr."}, class: dashed, min: 20, bound: true, check: random},
	{kind: "vault-token", prefixes: []string{"hvb."}, class: dashed, min: 100, bound: true},
	{kind: "vault-token", prefixes: []string{"s."}, class: alnum, min: 24, max: 24, alone: true, check: randomMixed},
	{kind: "terraform-token", prefixes: []string{".atlasv1."}, class: joined, min: 40, left: alnum, lmin: 14, lmax: 14},
	{kind: "pulumi-token", prefixes: []string{"pul-"}, class: hex, min: 40, max: 40, bound: true},
	{kind: "doppler-token", prefixes: []string{"dp.pt.", "dp.ct.", "dp.sa.", "dp.scim."}, class: alnum,
		min: 40, bound: true},
	{kind: "doppler-token", prefixes: []string{"dp.st."}, class: dotted, min: 40, bound: true, check: random},
	{kind: "infracost-key", prefixes: []string{"ico-"}, class: alnum, min: 32, max: 32, alone: true, check: hasDigit},
	{kind: "scalingo-token", prefixes: []string{"tk-us-"}, class: dashed, min: 40, max: 60, bound: true, check: random},
	{kind: "planetscale-token", prefixes: []string{"pscale_tkn_", "pscale_oauth_", "pscale_pw_"}, class: token68,
		min: 30, bound: true},
	{kind: "databricks-token", prefixes: []string{"dapi"}, class: hex, min: 32, max: 32, bound: true, check: hasDigit},
	{kind: "clickhouse-key", prefixes: []string{"4b1d"}, class: alnum, min: 38, max: 38, bound: true, check: mixedCase},
	{kind: "openshift-token", prefixes: []string{"sha256~"}, class: dashed, min: 43, max: 43, bound: true},
	{kind: "supabase-token", prefixes: []string{"sbp_"}, class: hex, min: 40, bound: true},
	{kind: "supabase-token", prefixes: []string{"sb_secret_"}, class: dashed, min: 20, bound: true, check: random},
	{kind: "vercel-token", prefixes: []string{"vercel_blob_rw_"}, class: word, min: 30},
	{kind: "vercel-token", prefixes: []string{"vcp_", "vci_", "vca_", "vcr_", "vck_"}, class: dashed,
		min: 56, bound: true},
	{kind: "neon-key", prefixes: []string{"napi_"}, class: alnum, min: 60, bound: true},
	// RunPod documents the prefix only; leaked keys have 40 to 46 characters.
	{kind: "runpod-key", prefixes: []string{"rpa_"}, class: alnum, min: 36, bound: true, check: hasDigit},
	{kind: "apify-token", prefixes: []string{"apify_api_"}, class: alnum, min: 30, bound: true},
	{kind: "browserbase-key", prefixes: []string{"bb_live_"}, class: dashed, min: 27, bound: true},
	{kind: "browserbase-key", prefixes: []string{"bb_test_"}, class: dashed, min: 27, max: 40, bound: true, check: random},
	{kind: "snyk-token", prefixes: []string{"snyk_uat.", "snyk_sat."}, class: dotted, min: 30, bound: true},
	{kind: "tailscale-key", prefixes: []string{"tskey-"}, class: dashed, min: 20, bound: true, check: random},
	{kind: "defined-networking-token", prefixes: []string{"dnkey-"}, class: joined, min: 60, bound: true},
	{kind: "yandex-key", prefixes: []string{"AQVN"}, class: dashed, min: 35, max: 38, bound: true},
	{kind: "yandex-token", prefixes: []string{"t1."}, class: token68, min: 86, bound: true},
	{kind: "netlify-token", prefixes: []string{"nfp_"}, class: alnum, min: 30, bound: true},
	{kind: "render-key", prefixes: []string{"rnd_"}, class: alnum, min: 24, max: 48, alone: true, check: randomMixed},
	{kind: "octopus-key", prefixes: []string{"API-"}, class: upper, min: 25, max: 32, alone: true, check: hasDigit},
	{kind: "harness-key", prefixes: []string{"pat.", "sat."}, class: dotted, min: 60, bound: true, check: isHarness},
	{kind: "prefect-key", prefixes: []string{"pnu_"}, class: alnum, min: 36, bound: true},
	{kind: "launchdarkly-key", prefixes: []string{"sdk-", "mob-", "api-"}, class: dashed, min: 36, max: 36,
		bound: true, check: uuid},

	// The address of a calendar, which gives access to all its events.
	{kind: "calendar-address", prefixes: []string{"/private-"}, class: hex, min: 32, max: 32, check: hasDigit},

	// Forges and CI services.
	{kind: "github-token", prefixes: []string{"ghp_", "gho_", "ghu_", "ghr_"}, class: alnum, min: 30},
	{kind: "github-token", prefixes: []string{"ghs_"}, class: dotted, min: 30},
	{kind: "github-token", prefixes: []string{"github_pat_"}, class: word, min: 22},
	{kind: "gitlab-token", prefixes: []string{"glpat-"}, class: dotted, min: 20},
	{kind: "gitlab-token", prefixes: []string{"gldt-", "glptt-", "glcbt-", "glsoat-", "glft-", "glffct-", "glimt-",
		"glwt-", "GR1348941"}, class: dashed, min: 20, bound: true},
	{kind: "gitlab-token", prefixes: []string{"glrt-", "glrtr-"}, class: dotted, min: 20, bound: true},
	{kind: "gitlab-token", prefixes: []string{"glagent-", "gloas-"}, class: dashed, min: 40, bound: true},
	{kind: "bitbucket-token", prefixes: []string{"ATCTT3"}, class: token68, min: 40, bound: true},
	{kind: "bitbucket-token", prefixes: []string{"ATBB"}, class: alnum, min: 24, max: 48, alone: true, check: randomMixed},
	{kind: "atlassian-token", prefixes: []string{"ATATT3", "ATSTT3"}, class: token68, min: 40, bound: true},
	{kind: "sourcegraph-token", prefixes: []string{"sgp_"}, class: word, min: 40, bound: true, check: hasDigit},
	{kind: "sourcegraph-token", prefixes: []string{"sgd_"}, class: hex, min: 64, bound: true},
	{kind: "circleci-token", prefixes: []string{"CCIPAT_", "CCIPRJ_"}, class: word, min: 40, bound: true},
	{kind: "buildkite-token", prefixes: []string{"bkua_"}, class: hex, min: 40, bound: true},
	{kind: "sonar-token", prefixes: []string{"squ_", "sqp_", "sqa_"}, class: hex, min: 40, bound: true},
	{kind: "artifactory-token", prefixes: []string{"AKCp"}, class: alnum, min: 60, bound: true},
	{kind: "artifactory-token", prefixes: []string{"cmVmd"}, class: alnum, min: 59, max: 59, alone: true,
		check: randomMixed},
	{kind: "linear-key", prefixes: []string{"lin_api_", "lin_oauth_"}, class: alnum, min: 30},
	{kind: "postman-key", prefixes: []string{"PMAK-"}, class: dashed, min: 50, bound: true},
	{kind: "readme-key", prefixes: []string{"rdme_"}, class: alnum, min: 60, bound: true},
	{kind: "figma-token", prefixes: []string{"figd_"}, class: dashed, min: 36, bound: true},
	{kind: "notion-token", prefixes: []string{"ntn_"}, class: alnum, min: 40, bound: true, check: hasDigit},
	{kind: "notion-token", prefixes: []string{"secret_"}, class: alnum, min: 43, max: 43, bound: true, check: randomMixed},
	{kind: "airtable-token", prefixes: []string{"pat"}, class: dotted, min: 79, max: 79, bound: true, check: isAirtable},
	{kind: "typeform-token", prefixes: []string{"tfp_"}, class: token68, min: 40, bound: true, check: hasDigit},
	{kind: "contentful-token", prefixes: []string{"CFPAT-"}, class: dashed, min: 40, bound: true},

	// Chat.
	{kind: "slack-token", prefixes: []string{"xoxa-", "xoxb-", "xoxc-", "xoxp-", "xoxr-", "xoxs-", "xoxe-", "xoxe.xox"},
		class: dashed, min: 10, check: hasDigit},
	{kind: "slack-token", prefixes: []string{"xoxd-"}, class: escaped, min: 10, check: hasDigit},
	{kind: "slack-token", prefixes: []string{"xoxo-"}, class: dashed, min: 20, check: hasDigit},
	{kind: "slack-token", prefixes: []string{"xapp-"}, class: dashed, min: 20, bound: true, check: hasDigit},
	{kind: "slack-webhook", prefixes: []string{"hooks.slack.com/services/", "hooks.slack.com/workflows/",
		"hooks.slack.com/triggers/"}, class: joined, min: 16, keep: true},
	{kind: "discord-webhook", prefixes: []string{"discord.com/api/webhooks/", "discordapp.com/api/webhooks/"}, class: path,
		min: 30, keep: true},
	{kind: "zapier-webhook", prefixes: []string{"hooks.zapier.com/hooks/catch/"}, class: path, min: 10, keep: true},
	{kind: "ifttt-webhook", prefixes: []string{"/with/key/"}, class: dashed, min: 20, keep: true, check: random},
	{kind: "webhook", prefixes: []string{"/api/webhook/"}, class: dashed, min: 20, keep: true, check: random},
	{kind: "webhook", prefixes: []string{"/api/push/"}, class: alnum, min: 10, max: 32, keep: true, check: random},
	{kind: "webhook", prefixes: []string{"/hooks/"}, class: path, min: 26, max: 80, keep: true, check: random},
	{kind: "webhook", prefixes: []string{"hc-ping.com/"}, class: dashed, min: 22, keep: true, check: random},
	{kind: "webhook", prefixes: []string{"/bot/v2/hook/"}, class: dashed, min: 36, keep: true, check: uuid},
	{kind: "webhook", prefixes: []string{"/webhook/"}, class: dashed, min: 36, max: 36, keep: true, check: uuid},
	{kind: "webhook", prefixes: []string{"pagerduty.com/integration/"}, class: alnum, min: 32, max: 32, keep: true},
	{kind: "node-key", prefixes: []string{".infura.io/v3/"}, class: hex, min: 32, max: 32, keep: true},
	{kind: "node-key", prefixes: []string{".alchemy.com/v2/"}, class: dashed, min: 20, keep: true, check: random},
	{kind: "node-key", prefixes: []string{".quiknode.pro/"}, class: hex, min: 32, keep: true},
	{kind: "onesignal-key", prefixes: []string{"os_v2_app_", "os_v2_org_"}, class: alnum, min: 60, bound: true},
	{kind: "cloudflare-tunnel-token", prefixes: []string{"eyJhIjoi"}, class: base64s, min: 100, bound: true},
	{kind: "minisign-key", prefixes: []string{"RWRTY0Iy"}, class: base64s, min: 100, bound: true},
	{kind: "nostr-key", prefixes: []string{"nsec1"}, class: alnum, min: 58, max: 58, bound: true},
	{kind: "k3s-token", prefixes: []string{"::server:", "::node:"}, class: alnum, min: 16, left: alnum,
		lmin: 50, lmax: 70},
	{kind: "teams-webhook", prefixes: []string{".webhook.office.com/webhookb2/"}, class: address, min: 60, keep: true},
	{kind: "telegram-token", prefixes: []string{":AA"}, class: dashed, min: 32, max: 34, left: digit, lmin: 8, lmax: 11},
	{kind: "facebook-token", prefixes: []string{"EAAC", "EAAM"}, class: alnum, min: 90, bound: true},
	{kind: "twitter-bearer", prefixes: []string{"AAAAAAAAAAAAAAAAAAAAA"}, class: escaped, min: 40, max: 160, bound: true,
		check: hasEscape},

	// AI.
	{kind: "anthropic-key", prefixes: []string{"sk-ant-"}, class: dashed, min: 16},
	{kind: "openai-key", prefixes: []string{"sk-proj-", "sk-svcacct-", "sk-None-"}, class: dashed, min: 20, bound: true},
	{kind: "openai-key", prefixes: []string{"sk-admin-"}, class: dashed, min: 20, bound: true, check: random},
	{kind: "langfuse-key", prefixes: []string{"sk-lf-"}, class: dashed, min: 36, bound: true, check: uuid},
	{kind: "openrouter-key", prefixes: []string{"sk-or-"}, class: dashed, min: 30, bound: true, check: hasDigit},
	{kind: "openai-key", prefixes: []string{"sk-"}, class: alnum, min: 20, bound: true, check: longOrDigit},
	{kind: "huggingface-token", prefixes: []string{"hf_"}, class: alnum, min: 30, max: 40, bound: true},
	{kind: "huggingface-token", prefixes: []string{"api_org_"}, class: alnum, min: 30, bound: true},
	{kind: "perplexity-key", prefixes: []string{"pplx-"}, class: alnum, min: 40, bound: true},
	{kind: "groq-key", prefixes: []string{"gsk_"}, class: alnum, min: 40, bound: true},
	{kind: "replicate-token", prefixes: []string{"r8_"}, class: alnum, min: 37, max: 37, alone: true},
	{kind: "xai-key", prefixes: []string{"xai-"}, class: alnum, min: 60, bound: true},
	{kind: "langsmith-key", prefixes: []string{"lsv2_"}, class: word, min: 40, bound: true},
	{kind: "together-key", prefixes: []string{"tgp_v1_"}, class: dashed, min: 40, bound: true},
	{kind: "cerebras-key", prefixes: []string{"csk-"}, class: alnum, min: 40, bound: true, check: hasDigit},
	{kind: "jina-key", prefixes: []string{"jina_"}, class: alnum, min: 50, bound: true},
	{kind: "e2b-key", prefixes: []string{"e2b_"}, class: hex, min: 40, bound: true},
	{kind: "firecrawl-key", prefixes: []string{"fc-"}, class: hex, min: 32, max: 32, alone: true, bound: true,
		check: hexOnly},
	// Brave documents no format; leaked keys have 28 characters after these.
	{kind: "brave-key", prefixes: []string{"BSA"}, class: dashed, min: 28, max: 28, alone: true, bound: true,
		check: randomMixed},
	{kind: "nvidia-key", prefixes: []string{"nvapi-"}, class: dashed, min: 50, bound: true},
	{kind: "pinecone-key", prefixes: []string{"pcsk_"}, class: word, min: 50, bound: true},
	{kind: "elevenlabs-key", prefixes: []string{"sk_"}, class: hex, min: 48, max: 48, alone: true},
	{kind: "tavily-key", prefixes: []string{"tvly-"}, class: dashed, min: 24, bound: true, check: random},
	{kind: "fireworks-key", prefixes: []string{"fw_"}, class: alnum, min: 20, max: 40, alone: true, check: randomMixed},
	{kind: "wandb-key", prefixes: []string{"wandb_v1_"}, class: dashed, min: 40, bound: true},

	// Payment and commerce.
	{kind: "stripe-key", prefixes: []string{"sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"},
		class: alnum, min: 10},
	{kind: "stripe-key", prefixes: []string{"whsec_"}, class: base64s, min: 24, bound: true},
	{kind: "square-token", prefixes: []string{"EAAA"}, class: dashed, min: 22, max: 64, alone: true, check: randomMixed},
	{kind: "square-token", prefixes: []string{"sq0atp-"}, class: dashed, min: 22, bound: true},
	{kind: "square-token", prefixes: []string{"sq0csp-"}, class: dashed, min: 40, bound: true},
	{kind: "braintree-token", prefixes: []string{"access_token$production$", "access_token$sandbox$"},
		class: escaped, min: 40},
	{kind: "shopify-token", prefixes: []string{"shpat_", "shpca_", "shppa_", "shpss_"}, class: alnum, min: 32},
	{kind: "flutterwave-key", prefixes: []string{"FLWSECK", "FLWPUBK"}, class: dashed, min: 12, bound: true,
		check: hasDigit},
	{kind: "plaid-token", prefixes: []string{"access-production-", "access-development-", "access-sandbox-"},
		class: dashed, min: 36, check: uuid},
	{kind: "duffel-token", prefixes: []string{"duffel_live_", "duffel_test_"}, class: joined, min: 40},
	{kind: "easypost-key", prefixes: []string{"EZAK", "EZTK"}, class: alnum, min: 54, alone: true},
	{kind: "shippo-token", prefixes: []string{"shippo_live_", "shippo_test_"}, class: hex, min: 40},
	{kind: "razorpay-key", prefixes: []string{"rzp_live_", "rzp_test_"}, class: alnum, min: 14, bound: true},
	{kind: "paddle-key", prefixes: []string{"pdl_live_apikey_", "pdl_sdbx_apikey_"}, class: word, min: 40, bound: true},
	{kind: "paddle-key", prefixes: []string{"pdl_ntfset_"}, class: dashed, min: 40, bound: true},
	// polar_oat_, polar_pat_, polar_at_u_ and others: Polar's source has about twenty.
	{kind: "polar-token", prefixes: []string{"polar_"}, class: word, min: 40, bound: true, check: randomTail},
	{kind: "lob-key", prefixes: []string{"live_pub_", "test_pub_"}, class: hex, min: 31, bound: true},
	{kind: "payment-key", prefixes: []string{"live_"}, class: dashed, min: 30, max: 48, bound: true, check: random},
	{kind: "payment-key", prefixes: []string{"test_"}, class: alnum, min: 30, max: 48, bound: true, check: random},

	// Packages.
	{kind: "npm-token", prefixes: []string{"npm_"}, class: alnum, min: 30, bound: true},
	{kind: "pypi-token", prefixes: []string{"pypi-"}, class: dashed, min: 32, bound: true, check: mixedCase},
	{kind: "rubygems-key", prefixes: []string{"rubygems_"}, class: hex, min: 48, bound: true},
	{kind: "nuget-key", prefixes: []string{"oy2"}, class: alnum, min: 43, max: 43, bound: true, check: hasDigit},
	{kind: "clojars-token", prefixes: []string{"CLOJARS_"}, class: alnum, min: 40},
	{kind: "crates-token", prefixes: []string{"cio"}, class: alnum, min: 32, max: 32, alone: true, check: randomMixed},
	{kind: "docker-token", prefixes: []string{"dckr_pat_", "dckr_oat_"}, class: dashed, min: 20},

	// Observability.
	{kind: "newrelic-key", prefixes: []string{"NRAK-", "NRRA-"}, class: alnum, min: 24, bound: true},
	{kind: "newrelic-key", prefixes: []string{"NRII-"}, class: dashed, min: 24, bound: true},
	{kind: "newrelic-key", prefixes: []string{"NRJS-"}, class: hex, min: 16, bound: true},
	{kind: "grafana-token", prefixes: []string{"eyJrIjoi"}, class: base64s, min: 60, bound: true},
	{kind: "grafana-token", prefixes: []string{"glc_"}, class: base64s, min: 32, bound: true},
	{kind: "grafana-token", prefixes: []string{"glsa_"}, class: word, min: 40, bound: true},
	{kind: "sentry-token", prefixes: []string{"sntrys_"}, class: joined, min: 60, bound: true},
	{kind: "sentry-token", prefixes: []string{"sntryu_"}, class: hex, min: 60, bound: true},
	{kind: "dynatrace-token", prefixes: []string{"dt0c01.", "dt0s01.", "dt0s16."}, class: dotted, min: 80, bound: true},
	{kind: "honeycomb-key", prefixes: []string{"hcaik_", "hcxik_"}, class: alnum, min: 50, bound: true},
	{kind: "posthog-key", prefixes: []string{"phx_"}, class: alnum, min: 40, bound: true},

	// Mail, telephone and others.
	{kind: "sendgrid-key", prefixes: []string{"SG."}, class: token68, min: 40, bound: true, check: hasDigit},
	{kind: "sendinblue-key", prefixes: []string{"xkeysib-"}, class: dashed, min: 60, bound: true},
	{kind: "mailgun-key", prefixes: []string{"key-", "pubkey-"}, class: hex, min: 32, max: 32, bound: true,
		check: hexOnly},
	{kind: "mailchimp-key", prefixes: []string{"-us"}, class: digit, min: 1, max: 2, left: hex, lmin: 32, lmax: 32},
	{kind: "resend-key", prefixes: []string{"re_"}, class: word, min: 24, max: 40, alone: true, check: isResend},
	{kind: "twilio-key", prefixes: []string{"SK"}, class: hex, min: 32, max: 32, alone: true, check: hexOnly},
	{kind: "frameio-token", prefixes: []string{"fio-u-"}, class: joined, min: 60, bound: true},
	{kind: "maxmind-key", prefixes: []string{"_mmk"}, class: alnum, left: word, lmin: 30, lmax: 40, check: randomMixed},
	{kind: "mapbox-token", prefixes: []string{"sk.eyJ"}, class: dotted, min: 60, bound: true},
	{kind: "adobe-secret", prefixes: []string{"p8e-"}, class: alnum, min: 30, bound: true, check: hasDigit},
	{kind: "dropbox-token", prefixes: []string{"sl."}, class: joined, min: 100, bound: true, check: hasDigit},
	{kind: "hubspot-token", prefixes: []string{"pat-na1-", "pat-na2-", "pat-eu1-"}, class: dashed, min: 36,
		bound: true, check: uuid},
	{kind: "intra42-secret", prefixes: []string{"s-s4t2ud-", "s-s4t2af-"}, class: hex, min: 60, bound: true},
	{kind: "settlemint-token", prefixes: []string{"sm_aat_", "sm_pat_", "sm_sat_"}, class: alnum, min: 16, bound: true},
	{kind: "onepassword-key", prefixes: []string{"A3-"}, class: dashed, min: 30, max: 37, bound: true,
		check: isOnePassword},
	{kind: "onepassword-token", prefixes: []string{"ops_eyJ"}, class: base64s, min: 200, bound: true},
	{kind: "authress-key", prefixes: []string{"sc_", "ext_", "scauth_", "authress_"}, class: token68, min: 60, bound: true,
		check: isAuthress},
	{kind: "age-key", prefixes: []string{"AGE-SECRET-KEY-1", "AGE-SECRET-KEY-PQ-1"}, class: alnum, min: 40},

	// Password hashes, which can be attacked offline.
	{kind: "password-hash", prefixes: []string{"$2a$", "$2b$", "$2y$"}, class: hashed, min: 50},
	{kind: "password-hash", prefixes: []string{"$6$"}, class: hashed, min: 80},
	{kind: "password-hash", prefixes: []string{"$5$", "$y$"}, class: hashed, min: 44},
	{kind: "password-hash", prefixes: []string{"$apr1$"}, class: hashed, min: 24},
	{kind: "password-hash", prefixes: []string{"$argon2"}, class: hashed, min: 60},
}

func isHarness(s string) bool { return parts(s, ".", 22, 24, 20) }

func isAirtable(s string) bool { return parts(s, ".", 14, 64) && hex.all(s[15:]) }

func isResend(s string) bool { return parts(s, "_", 8, 0) && randomMixed(s) }

// randomTail checks the text after the last - or _.
func randomTail(s string) bool {
	tail := s[strings.LastIndexByte(s, '_')+1:]
	return len(tail) >= 37 && randomMixed(tail)
}

func isOnePassword(s string) bool {
	return hasDigit(s) && (parts(s, "-", 6, 11, 5, 5, 5) || parts(s, "-", 6, 6, 5, 5, 5, 5))
}

func isAuthress(s string) bool {
	return strings.Contains(s, ".acc-") || strings.Contains(s, ".acc_")
}

// hasEscape: the padding of a Twitter bearer token is URL-escaped, which distinguishes it from other base64 of zeros.
func hasEscape(s string) bool { return strings.Contains(s, "%") && hasDigit(s) }
