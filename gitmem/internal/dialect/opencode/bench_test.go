package opencode_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	zombiezen "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gitmem/gitmem/gitmem/internal/dialect/opencode"
)

// many creates a home folder with 500 sessions of 100 messages each, 185,000 parts and 97 MB in all. Every tenth
// session is a fork of the previous one.
func many(b *testing.B) string {
	b.Helper()
	folder := home(b)
	conn, err := zombiezen.OpenConn(filepath.Join(folder, ".local", "share", "opencode", "opencode.db"),
		zombiezen.OpenReadWrite)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	run := func(statement string, args ...any) {
		if err := sqlitex.Execute(conn, statement, &sqlitex.ExecOptions{Args: args}); err != nil {
			b.Fatal(err)
		}
	}
	long := strings.Repeat("all work and no play ", 22)
	run("PRAGMA journal_mode=WAL")
	run("BEGIN")
	for s := range 500 {
		id, time := fmt.Sprint("ses_", s), 1_790_000_000_000+s*1_000_000
		run(`INSERT INTO session (id, project_id, slug, directory, title, version, time_created, time_updated) VALUES (?, `+
			`?, '', '/home/ada/p', 'Title', '1', ?, ?)`,
			id, fmt.Sprint("p", s/20), time, time+100_000)
		if s%10 == 9 {
			time -= 1_000_000
		}
		for m := range 100 {
			message, created := fmt.Sprintf("msg_%d_%02d", s, m), time+1+m*1000
			role := fmt.Sprintf(`{"role":"user","time":{"created":%d}}`, created)
			if m%2 == 1 {
				role = fmt.Sprintf(`{"role":"assistant","modelID":"m","path":{"cwd":"/home/ada/p"},"time":{"created":%d,`+
					`"completed":%d}}`, created, created+9)
			}
			run(`INSERT INTO message VALUES (?, ?, ?, ?, ?)`, message, id, created, created, role)
			for p := range 1 + m%2*5 + m%5/3 {
				data := fmt.Sprintf(`{"type":"text","text":"%s"}`, long)
				if p > 2 {
					data = fmt.Sprintf(`{"type":"tool","tool":"bash","callID":"%d","state":{"status":"completed",`+
						`"input":{"command":"ls"},"output":"%s","metadata":{"exit":0}}}`, p, long)
				}
				run(`INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)`, fmt.Sprint("prt_", s, "_", m, "_", p), message, id, created,
					created, data)
			}
		}
	}
	run("COMMIT")
	return folder
}

// BenchmarkStore lists the sessions of a large store, reads one of them, and reads all of them.
func BenchmarkStore(b *testing.B) {
	folder := many(b)
	list, errs := opencode.Sessions(folder, noEnv)
	if len(errs) > 0 {
		b.Fatal(errs)
	}
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			opencode.Sessions(folder, noEnv)
		}
	})
	b.Run("one", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if _, err := opencode.Records(list[i%len(list)]); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			records := 0
			for _, s := range list {
				r, err := opencode.Records(s)
				if err != nil {
					b.Fatal(err)
				}
				records += len(r)
			}
			b.ReportMetric(float64(records), "records")
		}
	})
}
