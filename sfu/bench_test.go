package sfu

import (
	"math"
	"math/rand"
	"testing"
)

func BenchmarkRow(b *testing.B) {
	rng := rand.New(rand.NewSource(1))
	var plain Row
	for i := range plain {
		plain[i] = math.Float32bits(rng.Float32() * 100)
	}
	for _, f := range functions() {
		a, d := plain, Row{}
		switch f.name { // arguments in the format of the reduction
		case "sin", "cos":
			PreSinRow(&a, &a)
		case "ex2":
			PreEx2Row(&a, &a)
		}
		b.Run(f.name, func(b *testing.B) {
			for b.Loop() {
				f.row(&d, &a)
			}
		})
	}
}
