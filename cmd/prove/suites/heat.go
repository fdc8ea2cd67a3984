package main

import (
	"fmt"
	"strings"
)

// heats checks Rodinia's hotspot with its own formula, in double precision here. The version for
// the CPU is no proof: its steps are a thousandth, so temperatures hardly change, and it leaves out
// cells.
func heats(side, steps int) proof {
	want := func(t *trial) (string, error) {
		var grids [2][]float64
		for i, name := range []string{"P", "T"} {
			text, err := file(name)(t)
			if err != nil {
				return "", err
			}
			if grids[i], err = numbers(text, float); err != nil {
				return "", err
			}
			if len(grids[i]) != side*side {
				return "", fmt.Errorf("%s has %d numbers", name, len(grids[i]))
			}
		}
		var all strings.Builder
		for i, x := range heat(grids[0], grids[1], side, steps) {
			fmt.Fprintf(&all, "%d\t%g\n", i, x)
		}
		return all.String(), nil
	}
	return proof{"`out` as of the same formula here", tolerance{relative: 1e-5}.like(file("out"), want)}
}

// heat returns the temperatures of a square chip after some steps, from its power and its
// temperatures.
func heat(power, temperature []float64, side, steps int) []float64 {
	const (
		thickness, edge, ambient = 0.0005, 0.016, 80.0
		conductivity             = 100.0
		volumeHeat               = 0.5 * 1.75e6 // of the chip and what belongs to it
		step                     = 0.001 * volumeHeat * thickness / 3.0e6
	)
	cell := edge / float64(side)
	rate := step / (volumeHeat * thickness * cell * cell)
	across, up := 2*conductivity*thickness, conductivity*cell*cell/thickness
	for range steps {
		next := make([]float64, len(temperature))
		for i, x := range temperature {
			row, column := i/side*side, i%side
			north, south := max(i-side, column), min(i+side, len(next)-side+column)
			west, east := row+max(column-1, 0), row+min(column+1, side-1)
			around := temperature[north] + temperature[south] + temperature[west] + temperature[east]
			next[i] = x + rate*(power[i]+(around-4*x)*across+(ambient-x)*up)
		}
		temperature = next
	}
	return temperature
}
