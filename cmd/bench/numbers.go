package main

import (
	"math"
	"slices"
)

// percentile returns the smallest value that at least p percent of the values do not exceed; 0 for no values.
func percentile(values []float64, p int) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max(0, (len(sorted)*p+99)/100-1)]
}

// median returns the middle value, or the mean of the two in the middle; NaN for no values.
func median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// interval is a 95% confidence interval.
type interval struct{ Low, High float64 }

// wilson returns the interval of a share by Wilson's score, which is also valid for few cases and extreme
// shares.
func wilson(part, of int) interval {
	if of == 0 {
		return interval{0, 1}
	}
	const z = 1.959964
	n, p := float64(of), float64(part)/float64(of)
	middle, half := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return interval{max(0, (middle-half)/(1+z*z/n)), min(1, (middle+half)/(1+z*z/n))}
}

// medianInterval returns the interval of the median by order statistics, which assumes no distribution. Fewer
// than six values do not allow 95%; then it returns the smallest and largest.
func medianInterval(values []float64) interval {
	n := len(values)
	if n == 0 {
		return interval{}
	}
	sorted := slices.Sorted(slices.Values(values))
	// The binomial probability that at most k of n values are below the median.
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

// exponent returns the power of the size with which values grow: the slope of the regression line of their
// logarithms.
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
