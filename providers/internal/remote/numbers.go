package remote

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Numbers are positive, sorted from the largest to the smallest, without
// doubles. As text they are the distances between neighbours in base 36, which
// takes two bytes a number.
type Numbers []int

// NewNumbers sorts numbers.
func NewNumbers(ns []int) Numbers {
	ns = slices.Clone(ns)
	slices.SortFunc(ns, func(a, b int) int { return b - a })
	return slices.Compact(ns)
}

// MarshalText writes the distances.
func (ns Numbers) MarshalText() ([]byte, error) {
	var b strings.Builder
	for i, n := range ns {
		if i > 0 {
			b.WriteByte('.')
			n = ns[i-1] - n
		}
		b.WriteString(strconv.FormatInt(int64(n), 36))
	}
	return []byte(b.String()), nil
}

// UnmarshalText refuses what MarshalText does not write.
func (ns *Numbers) UnmarshalText(text []byte) error {
	*ns = nil
	if len(text) == 0 {
		return nil
	}
	last := int64(0)
	for i, part := range strings.Split(string(text), ".") {
		d, err := strconv.ParseInt(part, 36, 32)
		if i > 0 {
			d = last - d
		}
		if err != nil || d <= 0 || i > 0 && d >= last {
			return fmt.Errorf("%.20q is no distance of numbers", part)
		}
		last = d
		*ns = append(*ns, int(d))
	}
	return nil
}
