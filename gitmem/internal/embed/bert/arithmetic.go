package bert

import (
	"math"
	"sync"
)

// epsilon is added to the variance by a normalisation, as in BERT.
const epsilon = 1e-12

// apply normalises x to mean 0 and variance 1, then scales and shifts each dimension. It uses four independent sums so
// that additions do not wait for each other; the number of dimensions is a multiple of four.
func (n *norm) apply(x []float32) {
	var sums, squares [4]float32
	for i := 0; i+4 <= len(x); i += 4 {
		v := (*[4]float32)(x[i:])
		sums[0], sums[1], sums[2], sums[3] = sums[0]+v[0], sums[1]+v[1], sums[2]+v[2], sums[3]+v[3]
	}
	mean := (sums[0] + sums[1] + sums[2] + sums[3]) / float32(len(x))
	for i := 0; i+4 <= len(x); i += 4 {
		v := (*[4]float32)(x[i:])
		a, b, c, d := v[0]-mean, v[1]-mean, v[2]-mean, v[3]-mean
		squares[0], squares[1], squares[2], squares[3] = squares[0]+a*a, squares[1]+b*b, squares[2]+c*c, squares[3]+d*d
	}
	variance := float64(squares[0]+squares[1]+squares[2]+squares[3]) / float64(len(x))
	by := float32(1 / math.Sqrt(variance+epsilon))
	gamma, beta := n.gamma[:len(x)], n.beta[:len(x)]
	for d, v := range x {
		x[d] = (v-mean)*by*gamma[d] + beta[d]
	}
}

// softmax replaces scores by their softmax.
func softmax(scores []float32) {
	largest := scores[0]
	for _, x := range scores[1:] {
		if x > largest {
			largest = x
		}
	}
	table := powers[0]()
	var even, odd float32
	for i, x := range scores {
		e := table.exp(x - largest)
		scores[i] = e
		even, odd = odd, even+e
	}
	by := 1 / (even + odd)
	for i := range scores {
		scores[i] *= by
	}
}

// expSteps is the number of powers between 1 and 2 in the table of exponentials.
const expSteps = 1024

type powerTable [expSteps]uint32

var powers = [...]func() *powerTable{sync.OnceValue(func() *powerTable {
	var t powerTable
	for i := range t {
		t[i] = math.Float32bits(float32(math.Exp2(float64(i) / expSteps)))
	}
	return &t
})}

// exp returns e^x for x ≤ 0 with a relative error below 0.001: the integer part of x / ln 2 sets the exponent bits, and
// the table gives the power for the fraction.
func (t *powerTable) exp(x float32) float32 {
	if x < -87 {
		return 0
	}
	n := int32(x*(expSteps*math.Log2E)-0.5) + 128*expSteps // not negative
	return math.Float32frombits(t[n%expSteps] + uint32(n/expSteps-128)<<23)
}

// The activation's table: outside its range GELU is the identity or 0, to within 2e-4.
const (
	geluRange = 4
	geluSteps = 512 // per unit
)

type geluValues [2*geluRange*geluSteps + 1]float32

var geluTable = [...]func() *geluValues{sync.OnceValue(func() *geluValues {
	var t geluValues
	for i := range t {
		x := float64(i)/geluSteps - geluRange
		t[i] = float32(x / 2 * (1 + math.Erf(x/math.Sqrt2)))
	}
	return &t
})}

// gelu applies the Gaussian error linear unit, x·Φ(x), to within 0.0012.
func gelu(x []float32) {
	table := geluTable[0]()
	for i, v := range x {
		switch {
		case v <= -geluRange:
			x[i] = 0
		case v < geluRange:
			x[i] = table[int((v+geluRange)*geluSteps+0.5)]
		}
	}
}
