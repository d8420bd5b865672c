package store

import "testing"

// TestLastWords checks that the remote's progress does not hide the error.
func TestLastWords(t *testing.T) {
	t.Parallel()
	for report, want := range map[string]string{
		"remote: Enumerating objects: 6, done.\nremote: Counting objects:  16% (1/6)\rremote: Counting objects:  33% " +
			"(2/6)\rremote: Total 6 (delta 0)\n" +
			"fatal: write error: No space left on device\n": "write error: No space left on device",
		"remote: no writes today        \nTo /srv/x\nerror: failed to push some refs to '/srv/x'\nhint: x\n": "no writes " +
			"today; failed to push some refs to '/srv/x'",
		"ssh: connect to host h port 22: Connection refused\r\nfatal: Could not read from remote repository.\n": "connect " +
			"to host h port 22: Connection refused; Could not read from remote repository.",
		"remote: error: cannot lock ref 'refs/heads/main'\nremote: a\nremote: b\nerror: failed\n": "error: " +
			"cannot lock ref 'refs/heads/main'; a; b",
		"Killed\n": "Killed",
	} {
		if got := lastWords(report); got != want {
			t.Errorf("of %q: %q, want %q", report, got, want)
		}
	}
}
