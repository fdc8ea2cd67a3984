package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"jacquard/cubin"
	"jacquard/cubin/carrier"
	"jacquard/ptx/compile"
	"jacquard/ptx/load"
	"jacquard/tesla"
)

// concludeRegisters compiles the PTX for this generation in all programs, launched or not, and
// prints the registers of its kernels beside the registers of NVIDIA's compiler.
func (s *setup) concludeRegisters(w io.Writer, names []string) error {
	logs, most, n := 0.0, 0.0, 0
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(s.release, name))
		if err != nil {
			return err
		}
		found, err := carrier.Find(data)
		if err != nil {
			continue // a script
		}
		for i := range found.Modules {
			ratios, err := registers(found.Modules[i].Contents, name)
			if err != nil {
				return err
			}
			for _, r := range ratios {
				logs, most, n = logs+math.Log(r), max(most, r), n+1
			}
		}
	}
	if n > 0 {
		fmt.Fprintf(w, "\nRegisters of all %d kernels: ratio of the geometric means %.3f, most %.2f\n", n, math.Exp(logs/float64(n)), most)
	}
	return nil
}

// registers returns the registers of the kernels of a module as ratios: ours to NVIDIA's.
func registers(c *cubin.Contents, name string) ([]float64, error) {
	text := load.Latest(c, tesla.SM13)
	code, err := c.Select(tesla.SM13)
	if err != nil || text == nil || text.Arch > 10+int(tesla.SM13) {
		return nil, nil // nothing to compare
	}
	native, err := code.Image()
	if err != nil {
		return nil, err
	}
	made, err := load.Entry(text, name, compile.Options{Arch: load.Arch(text.Arch)})
	if err != nil {
		return nil, err
	}
	ours, err := made.Image()
	if err != nil {
		return nil, err
	}
	var ratios []float64
	for i := range ours.Kernels {
		if k := native.Kernel(ours.Kernels[i].Name); k != nil {
			ratios = append(ratios, float64(ours.Kernels[i].Registers)/float64(k.Registers))
		}
	}
	return ratios, nil
}
