package clip_test

import (
	"testing"

	"github.com/gitmem/gitmem/internal/clip"
)

func TestClip(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ got, want string }{
		{clip.Within("grün", 4), "grün"}, {clip.Within("grüner", 4), "grü…"}, {clip.Within("so it is", 4), "so…"},
		{clip.Within("", 4), ""},
		{clip.Words("grün", 4, "…"), "grün"}, {clip.Words("das grüne Tor", 11, "…"), "das grüne…"},
		{clip.Words("a grünes", 5, "…"), "a grü…"},
		{clip.Words("so it is", 0, "…"), "so it is"}, {clip.Words("so it is", 6, ""), "so it"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}
