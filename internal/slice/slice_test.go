package slice_test

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/internal/slice"
)

func TestSlices(t *testing.T) {
	t.Parallel()
	even := func(n int) bool { return n%2 == 0 }
	for name, tt := range map[string]struct{ got, want any }{
		"map":            {slice.Map([]int{1, 2}, strconv.Itoa), []string{"1", "2"}},
		"map of nil":     {slice.Map(nil, strconv.Itoa), []string{}},
		"filter":         {slice.Filter([]int{1, 2, 4}, even), []int{2, 4}},
		"filter to none": {slice.Filter([]int{1}, even), []int(nil)},
		"count":          {slice.Count([]int{1, 2, 4}, even), 2},
		"set":            {slice.Set([]int{1, 2, 1}), map[int]bool{1: true, 2: true}},
	} {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
