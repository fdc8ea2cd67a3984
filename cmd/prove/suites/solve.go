package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// solves checks Rodinia's gaussian: its solution, printed with two digits behind the point, solves
// the system that the program makes for a size.
func solves(size int) proof {
	return proof{"its solution solves its system", func(t *trial) error {
		text, err := between("The final solution is:", "\n\n")(t.result.Output)
		if err != nil {
			return err
		}
		got := strings.Fields(text)
		want := gaussian(size)
		if len(got) != size {
			return fmt.Errorf("prints %d unknowns, not %d", len(got), size)
		}
		for i, x := range want {
			const printed = 0.005
			if y, err := strconv.ParseFloat(got[i], 64); err != nil || !(math.Abs(y-x) <= printed+1e-3) {
				return fmt.Errorf("unknown %d is %s, not %.2f", i, got[i], x)
			}
		}
		return nil
	}}
}

// gaussian solves the system that the program makes: 10 exp(-|i-j|/100) and a right side of ones.
func gaussian(size int) []float64 {
	rows := make([][]float64, size)
	for i := range rows {
		rows[i] = make([]float64, size+1)
		for j := range size {
			rows[i][j] = 10 * math.Exp(-0.01*math.Abs(float64(i-j)))
		}
		rows[i][size] = 1
	}
	for k := range rows {
		for i := k + 1; i < size; i++ {
			f := rows[i][k] / rows[k][k]
			for j := k; j <= size; j++ {
				rows[i][j] -= f * rows[k][j]
			}
		}
	}
	x := make([]float64, size)
	for i := size - 1; i >= 0; i-- {
		x[i] = rows[i][size]
		for j := i + 1; j < size; j++ {
			x[i] -= rows[i][j] * x[j]
		}
		x[i] /= rows[i][i]
	}
	return x
}
