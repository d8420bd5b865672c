package bert

import (
	"math"
	"sync"
)

// epsilon is added to the variance by a normalisation, as in BERT.
const epsilon = 1e-12

// apply normalises x to mean 0 and variance 1, then scales and moves each dimension.
func (n *norm) apply(x []float32) {
	sum, squares := float32(0), float32(0)
	for _, v := range x {
		sum += v
	}
	mean := sum / float32(len(x))
	for _, v := range x {
		squares += (v - mean) * (v - mean)
	}
	by := float32(1 / math.Sqrt(float64(squares)/float64(len(x))+epsilon))
	gamma, beta := n.gamma[:len(x)], n.beta[:len(x)]
	for d, v := range x {
		x[d] = (v-mean)*by*gamma[d] + beta[d]
	}
}

// softmax replaces scores by their exponentials as shares of the sum.
func softmax(scores []float32) {
	largest := scores[0]
	for _, x := range scores[1:] {
		largest = max(largest, x)
	}
	sum := float32(0)
	for i, x := range scores {
		e := exp(x - largest)
		scores[i] = e
		sum += e
	}
	for i := range scores {
		scores[i] /= sum
	}
}

// exp is e^x for x ≤ 0, with a relative error below 1e-5: 2^n by its bits times a polynomial of
// the rest, which is between -½ and ½ (the series of 2^r).
func exp(x float32) float32 {
	if x < -87 {
		return 0
	}
	t := x * math.Log2E
	n := int32(t - 0.5)
	r := t - float32(n)
	p := 1 + r*(0.69314718+r*(0.24022651+r*(0.05550411+r*(0.00961813+r*0.00133336))))
	return math.Float32frombits(math.Float32bits(p) + uint32(n)<<23)
}

// The activation's table: beyond its range GELU is the identity or 0, to within 2e-4.
const (
	geluRange = 4
	geluSteps = 512 // a unit
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
