package main

import (
	"math"
	"slices"
)

// percentile is the smallest value that p of 100 do not exceed; 0 of none.
func percentile(values []float64, p int) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max(0, (len(sorted)*p+99)/100-1)]
}

// median is the middle value, or the mean of the two in the middle; NaN of none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// interval are the bounds between which a value lies with 95 of 100.
type interval struct{ Low, High float64 }

// wilson is the interval of a share by Wilson's score, which holds for few and for extreme shares too.
func wilson(part, of int) interval {
	if of == 0 {
		return interval{0, 1}
	}
	const z = 1.959964
	n, p := float64(of), float64(part)/float64(of)
	middle, half := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return interval{max(0, (middle-half)/(1+z*z/n)), min(1, (middle+half)/(1+z*z/n))}
}

// medianInterval is the interval of the median by order statistics: it knows no distribution. Less than
// six values give no 95 of 100, and their smallest and largest stand for it.
func medianInterval(values []float64) interval {
	n := len(values)
	if n == 0 {
		return interval{}
	}
	sorted := slices.Sorted(slices.Values(values))
	// The binomial chance that at most k of n values lie below the median.
	chance, term, k := 0.0, math.Pow(0.5, float64(n)), -1
	for i := 0; i < n/2; i++ {
		if chance += term; chance > 0.025 {
			break
		}
		k, term = i, term*float64(n-i)/float64(i+1)
	}
	k = max(0, k)
	return interval{sorted[k], sorted[n-1-k]}
}

// exponent is the power of the size that values grow with: the slope of a line through their logarithms.
func exponent(sizes []int, values []float64) float64 {
	var x, y, xx, xy, n float64
	for i, v := range values {
		if v <= 0 || math.IsNaN(v) {
			return math.NaN()
		}
		a, b := math.Log(float64(sizes[i])), math.Log(v)
		x, y, xx, xy, n = x+a, y+b, xx+a*a, xy+a*b, n+1
	}
	return (n*xy - x*y) / (n*xx - x*x)
}
