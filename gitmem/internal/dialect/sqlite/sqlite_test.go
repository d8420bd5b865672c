package sqlite_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	zombiezen "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/sqlite"
)

// TestMain runs as another program that writes to a database if an environment variable is set.
func TestMain(m *testing.M) {
	if file := os.Getenv("SQLITE_TEST_WRITE"); file != "" {
		if err := write(file); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if os.Getenv("SQLITE_TEST_CRASH") != "" {
			os.Exit(0) // without closing the database
		}
	}
	os.Exit(m.Run())
}

// write adds rows to a database and prints their number after each, until its input ends. Then it closes the database
// and exits; with SQLITE_TEST_CRASH set it returns without closing.
func write(file string) error {
	conn, err := zombiezen.OpenConn(file, zombiezen.OpenReadWrite, zombiezen.OpenCreate)
	if err != nil {
		return err
	}
	for _, statement := range []string{
		"PRAGMA journal_mode=WAL", "PRAGMA wal_autocheckpoint=20", "PRAGMA synchronous=OFF",
		"CREATE TABLE IF NOT EXISTS t (n INTEGER)",
	} {
		if err := sqlitex.ExecuteTransient(conn, statement, nil); err != nil {
			return err
		}
	}
	ended := make(chan bool)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(ended)
	}()
	for n := 1; ; n++ {
		err := sqlitex.Execute(conn, `INSERT INTO t VALUES (?)`, &sqlitex.ExecOptions{Args: []any{n}})
		if err != nil {
			return err
		}
		fmt.Println(n)
		select {
		case <-ended:
			if os.Getenv("SQLITE_TEST_CRASH") != "" {
				return nil
			}
			if err := conn.Close(); err != nil {
				return err
			}
			os.Exit(0)
		default:
		}
	}
}

// start starts the other program.
func start(t *testing.T, file string, env ...string) (*exec.Cmd, io.WriteCloser, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), "SQLITE_TEST_WRITE="+file), env...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, in, bufio.NewScanner(out)
}

// crash creates a database whose last rows are only in NAME-wal, and returns their number.
func crash(t *testing.T, file string) int64 {
	t.Helper()
	cmd, in, out := start(t, file, "SQLITE_TEST_CRASH=1")
	var rows int64
	for out.Scan() {
		_, _ = fmt.Sscan(out.Text(), &rows)
		if rows == 50 {
			in.Close()
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return rows
}

func count(t *testing.T, file string) int64 {
	t.Helper()
	var n int64
	err := sqlite.Read(file, func(db sqlite.DB) error {
		return db.Query("SELECT count(*) FROM t", func(r sqlite.Row) { n = r.Int(0) })
	})
	if err != nil {
		t.Error(err)
	}
	return n
}

func files(t testing.TB, file string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestReadBesideAWriter(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a b%3f#.db")
	cmd, in, out := start(t, file)
	var written atomic.Int64
	first, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for out.Scan() {
			var n int64
			_, _ = fmt.Sscan(out.Text(), &n)
			if written.Store(n); n == 1 {
				close(first)
			}
		}
	}()
	select {
	case <-first:
	case <-done:
		t.Fatal("nothing was written")
	}
	for range 1000 {
		want := written.Load()
		if got := count(t, file); got < want || t.Failed() {
			t.Fatalf("%d rows, %d were written", got, want)
		}
	}
	in.Close()
	<-done
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if got, want := count(t, file), written.Load(); got != want {
		t.Errorf("%d rows at last, %d were written", got, want)
	}
	if got := files(t, file); !slices.Equal(got, []string{file}) {
		t.Errorf("files: %q", got)
	}
}

func TestReadLeavesTheFolderAsItWas(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(t *testing.T, file string)
	}{
		{"after a crash", func(*testing.T, string) {}},
		{"a copy without -shm", func(t *testing.T, file string) { remove(t, file+"-shm") }},
		{"a folder that may not be written to", func(t *testing.T, file string) {
			if err := os.Chmod(filepath.Dir(file), 0o500); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(filepath.Dir(file), 0o700) })
		}},
		{"such a folder, without -shm", func(t *testing.T, file string) {
			remove(t, file+"-shm")
			if err := os.Chmod(filepath.Dir(file), 0o500); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(filepath.Dir(file), 0o700) })
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			t.Setenv("TMPDIR", t.TempDir())
			t.Setenv("TMP", os.Getenv("TMPDIR"))
			file := filepath.Join(folder, "x.db")
			rows := crash(t, file)
			c.make(t, file)
			before := files(t, file)
			if got := count(t, file); got != rows {
				t.Errorf("%d rows, want %d", got, rows)
			}
			if after := files(t, file); !slices.Equal(before, after) {
				t.Errorf("files: %q, before: %q", after, before)
			}
			if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
				t.Errorf("left %v", left)
			}
		})
	}
}

func remove(t *testing.T, file string) {
	t.Helper()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
}

func TestReadErrors(t *testing.T) {
	folder := t.TempDir()
	good := filepath.Join(folder, "good.db")
	crash(t, good)
	bad := filepath.Join(folder, "bad.db")
	if err := os.WriteFile(bad, []byte(strings.Repeat("no database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	own := errors.New("own")
	for _, c := range []struct {
		name, file, query string
		own               error
		want              error
	}{
		{"no file", filepath.Join(folder, "none.db"), "SELECT 1", nil, fs.ErrNotExist},
		{"no database", bad, "SELECT * FROM t", nil, dialect.ErrUnknownFormat},
		{"no table", good, "SELECT * FROM other", nil, dialect.ErrUnknownFormat},
		{"no column", good, "SELECT other FROM t", nil, dialect.ErrUnknownFormat},
		{"error of the caller", good, "SELECT * FROM t", own, own},
	} {
		err := sqlite.Read(c.file, func(db sqlite.DB) error {
			return errors.Join(db.Query(c.query, func(sqlite.Row) {}), c.own)
		})
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.file) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	file := filepath.Join(b.TempDir(), "x.db")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SQLITE_TEST_WRITE="+file)
	if err := cmd.Run(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := sqlite.Read(file, func(db sqlite.DB) error {
			return db.Query("SELECT n FROM t LIMIT 1", func(sqlite.Row) {})
		}); err != nil {
			b.Fatal(err)
		}
	}
}

// FuzzRead reads files that need not be databases.
func FuzzRead(f *testing.F) {
	file := filepath.Join(f.TempDir(), "x.db")
	conn, err := zombiezen.OpenConn(file, zombiezen.OpenReadWrite|zombiezen.OpenCreate)
	if err != nil {
		f.Fatal(err)
	}
	if err := sqlitex.ExecuteScript(conn, "CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1), (2)", nil); err != nil {
		f.Fatal(err)
	}
	if err := conn.Close(); err != nil {
		f.Fatal(err)
	}
	database, err := os.ReadFile(file)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(database, []byte(nil))
	f.Add(database[:5000], []byte("x"))
	f.Fuzz(func(t *testing.T, database, wal []byte) {
		file := filepath.Join(t.TempDir(), "x.db")
		if err := errors.Join(os.WriteFile(file, database, 0o600), os.WriteFile(file+"-wal", wal, 0o600)); err != nil {
			t.Fatal(err)
		}
		_ = sqlite.Read(file, func(db sqlite.DB) error { // an error is acceptable, too
			return db.Query("SELECT n FROM t", func(r sqlite.Row) { _ = r.Text(0) })
		})
		if got := files(t, file); len(got) != 2 {
			t.Errorf("files: %q", got)
		}
	})
}
