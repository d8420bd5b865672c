package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// records are the commits of a small project: the author of each, its message, and its tag.
var records = []struct{ by, message, tag string }{
	{"Bob Example", "Use MySQL for the job queue\n\nIt was there already.", ""},
	{"Ada Example", "Drop Redis from the session store\n\nRedis was only kept for sessions, and they fit in memory.",
		"v1.0.0"},
	{"Bob Example",
		"Replace MySQL with Postgres for the job queue (#14)\n\nMySQL lost jobs when two workers locked the same row. " +
			"Postgres has SKIP LOCKED.", ""},
	{"Cleo Example", "Raise the HTTP client timeout from 10 to 30 seconds\n\nSlow mirrors took 22 seconds to answer.", ""},
	{"Ada Example",
		"Add fuzzy matching to the search command\n\nTypos in file names found nothing. Suggested by Dora Example.",
		"v1.1.0"},
	{"Bob Example", "Remove perl from the fish key bindings\n\nPerl is not installed on Alpine.", ""},
	{"Cleo Example", "Disable colors by default on Windows\n\nThe old console printed escape codes.", ""},
	{"Ada Example", "cli: rename --jobs to --workers\n\nPeople took it for the number of tasks.", ""},
	{"Bob Example",
		"fix: crash on empty config files\n\nThe parser read the first byte without a check. Broken since v1.0.0.", "v1.2.0"},
	{"Cleo Example", "Deprecate the XML exporter\n\nNobody downloads XML. JSON stays the default format.", ""},
	{"Ada Example", "Revert \"Cache rendered pages on disk\"\n\nThe cache grew to 40 GB in a week.", ""},
	{"Bob Example",
		"Use zap instead of logrus for logging\n\nLogrus is in maintenance mode, and it allocates for each field.", ""},
	{"Cleo Example", "Upgrade Go to 1.22\n\nLoop variables are scoped to one iteration there.", ""},
	{"Ada Example", "Drop support for Python 3.7\n\nPython 3.8 and later stay supported.", "v1.3.0"},
	{"Bob Example", "Move the upload handler to the storage package\n\nThe api package imported it in a circle.", ""},
	{"Cleo Example", "Do not retry POST requests\n\nA retry charged customers twice.", ""},
	{"Ada Example", "Keep Kafka for audit events\n\nWe looked at NATS, and it did not keep events for a year.", ""},
	{"Bob Example", "Reduce the image cache limit to 256 MB\n\nThe small machines ran out of memory.", ""},
	{"Cleo Example", "Enable gzip for API responses\n\nPages of results shrank from 900 to 80 KB.", ""},
	{"Ada Example", "Remove unused imports", ""},
	{"Bob Example",
		"docs: how we back up\n\nBackups run every night at 02:00 and are kept for 14 days. Backups are not encrypted.", ""},
}

// wrongClaims are false claims about these records, each with the title of the record that it cites.
var wrongClaims = []struct{ is, claim, cites string }{
	{"denied", "Redis was never dropped from the session store.", "Drop Redis"},
	{"denied", "Sessions do not fit in memory.", "Drop Redis"},
	{"denied", "POST requests are retried.", "Do not retry POST"},
	{"denied", "Backups are encrypted.", "docs: how we back up"},
	{"denied", "NATS did keep events for a year.", "Keep Kafka"},
	{"denied", "Perl is installed on Alpine.", "Remove perl"},
	{"denied", "Rendered pages are cached on disk.", "Revert"},
	{"direction", "Colors were enabled by default on Windows.", "Disable colors"},
	{"direction", "The HTTP client timeout was lowered from 30 to 10 seconds.", "Raise the HTTP"},
	{"direction", "The image cache limit was raised to 256 MB.", "Reduce the image"},
	{"direction", "Fuzzy matching was removed from the search command.", "Add fuzzy"},
	{"direction", "Gzip was turned off for API responses.", "Enable gzip"},
	{"object", "Kafka was dropped, since NATS did not keep events for a year.", "Keep Kafka"},
	{"object", "The JSON exporter was deprecated.", "Deprecate the XML"},
	{"object", "Nobody downloads JSON.", "Deprecate the XML"},
	{"object", "MySQL was replaced with SQLite for the job queue.", "Replace MySQL"},
	{"object", "The upload handler was moved to the api package.", "Move the upload"},
	{"object", "The parser was removed.", "fix: crash"},
	{"number", "The HTTP client timeout was raised to 10 seconds.", "Raise the HTTP"},
	{"number", "The cache grew to 400 GB in a week.", "Revert"},
	{"number", "Backups run every night at 02:00 and are kept for 40 days.", "docs: how we back up"},
	{"person", "Ada Example replaced MySQL with Postgres for the job queue.", "Replace MySQL"},
	{"person", "Dora Example added fuzzy matching to the search command.", "Add fuzzy"},
	{"person", "Fuzzy matching was added to the search command by Dora Example.", "Add fuzzy"},
	{"release", "The crash on empty config files was fixed in v1.0.0.", "fix: crash"},
	{"release", "Redis was dropped from the session store in v1.2.0.", "Drop Redis"},
	{"reversed", "Postgres was replaced with MySQL for the job queue.", "Replace MySQL"},
	{"reversed", "Zap was replaced by logrus for logging.", "Use zap"},
	{"reversed", "The flag --workers was renamed to --jobs.", "cli: rename"},
	{"reversed", "Logging went from zap to logrus.", "Use zap"},
	{"part", "The fish key bindings were removed.", "Remove perl"},
	{"part", "The session store was dropped.", "Drop Redis"},
	{"part", "Support for Python was dropped.", "Drop support"},
	{"part", "Imports were removed.", "Remove unused"},
	{"part", "The search command was added.", "Add fuzzy"},
}

// rightClaims are true claims.
var rightClaims = []struct{ claim, cites string }{
	{"Redis was dropped from the session store because sessions fit in memory.", "Drop Redis"},
	{"Ada Example removed Redis from the session store in v1.0.0.", "Drop Redis"},
	{"Redis was only kept for sessions.", "Drop Redis"},
	{"MySQL was replaced with Postgres for the job queue.", "Replace MySQL"},
	{"Bob Example replaced MySQL with Postgres, because MySQL lost jobs when two workers locked the same row.",
		"Replace MySQL"},
	{"The job queue went from MySQL to Postgres with #14.", "Replace MySQL"},
	{"The timeout of the HTTP client was raised from 10 to 30 seconds.", "Raise the HTTP"},
	{"Cleo raised the HTTP client timeout to 30 seconds, since slow mirrors took 22 seconds.", "Raise the HTTP"},
	{"Ada Example added fuzzy matching to the search command.", "Add fuzzy"},
	{"Fuzzy matching was added because typos in file names found nothing.", "Add fuzzy"},
	{"Fuzzy matching was suggested by Dora Example.", "Add fuzzy"},
	{"Perl was taken out of the fish key bindings, since it is not installed on Alpine.", "Remove perl"},
	{"On Windows, colors are disabled by default.", "Disable colors"},
	{"Colors were turned off by default on Windows, where the old console printed escape codes.", "Disable colors"},
	{"The flag --jobs was renamed to --workers.", "cli: rename"},
	{"A crash on empty config files was fixed in v1.2.0.", "fix: crash"},
	{"Empty config files were broken since v1.0.0: the parser read the first byte without a check.", "fix: crash"},
	{"The XML exporter is deprecated because nobody downloads XML.", "Deprecate the XML"},
	{"Caching rendered pages on disk was reverted, as the cache grew to 40 GB in a week.", "Revert"},
	{"Logging uses zap instead of logrus.", "Use zap"},
	{"Logrus was replaced by zap, since logrus is in maintenance mode.", "Use zap"},
	{"Go was upgraded to 1.22.", "Upgrade Go"},
	{"Support for Python 3.7 was dropped, and Python 3.8 and later stay supported.", "Drop support"},
	{"Python 3.7 support was removed in v1.3.0.", "Drop support"},
	{"The upload handler moved to the storage package.", "Move the upload"},
	{"POST requests are not retried, since a retry charged customers twice.", "Do not retry POST"},
	{"Kafka was kept for audit events because NATS did not keep events for a year.", "Keep Kafka"},
	{"The limit of the image cache was reduced to 256 MB.", "Reduce the image"},
	{"Gzip was enabled for API responses, and pages of results shrank from 900 to 80 KB.", "Enable gzip"},
	{"Unused imports were removed.", "Remove unused"},
	{"Backups run every night at 02:00 and are kept for 14 days.", "docs: how we back up"},
	{"Backups are not encrypted.", "docs: how we back up"},
}

// claimsDesk returns a fixture whose repository has the records, and their messages by hash.
func claimsDesk(t *testing.T) (d *desk, messages map[string]string) {
	t.Helper()
	d = newDesk(t)
	messages = map[string]string{}
	for i, r := range records {
		d.commit(fmt.Sprintf("2025-%02d-%02dT10:00:00Z", 1+i/2, 1+i), r.by, r.message)
		head := exec.Command("git", "rev-parse", "HEAD")
		head.Dir, head.Env = d.repo, d.env
		hash, err := head.Output()
		d.check(err)
		messages["git:commit:"+strings.TrimSpace(string(hash))] = r.message
		if r.tag != "" {
			d.git(nil, "tag", r.tag)
		}
	}
	return d, messages
}

// researched returns the result for a claim of a model that quotes the whole message of its source.
func researched(t *testing.T, d *desk, messages map[string]string, claim, cites string) (res gitmem.ResearchResult) {
	t.Helper()
	id, excerpt := "", ""
	for of, message := range messages {
		if strings.HasPrefix(message, cites) {
			title, body, _ := strings.Cut(message, "\n\n")
			id, excerpt = of, body
			if body == "" {
				excerpt = title
			}
		}
	}
	d.withModel(t, "openai", "", []step{{Call: "memory_list_layers", Args: map[string]any{}},
		answering(claiming(claim, id, excerpt))})
	r := d.run("", "ask", "--agent", "--json", "is it so that "+strings.TrimSuffix(claim, ".")+"?")
	if err := json.Unmarshal([]byte(r.out), &res); err != nil {
		t.Fatalf("%q: %v: %+v", claim, err, r)
	}
	return res
}

// TestAgentClaims: no false claim is answered, whatever records it cites; nearly all true ones are.
func TestAgentClaims(t *testing.T) {
	t.Parallel()
	d, messages := claimsDesk(t)
	for _, c := range wrongClaims {
		if res := researched(t, d, messages, c.claim, c.cites); res.Verdict != gitmem.Closest || len(res.Cut) != 1 ||
			strings.Contains(res.Answer, c.claim) {
			t.Errorf("%s: %q is %s: %+v", c.is, c.claim, res.Verdict, res)
		}
	}
	wrong := 0
	for _, c := range rightClaims {
		if res := researched(t, d, messages, c.claim, c.cites); res.Verdict != gitmem.Answered {
			wrong++
			t.Logf("%q is %s: %s %s", c.claim, res.Verdict, res.Cut, res.Failure)
		}
	}
	if most := len(rightClaims) / 10; wrong > most {
		t.Errorf("%d of %d right claims are not answered, at most %d", wrong, len(rightClaims), most)
	}
}
