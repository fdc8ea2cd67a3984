package fpu

import (
	"fmt"
	"math"
	"math/rand"
	"testing"
)

// BenchmarkRow times each row function: on plain numbers, with some zeros, and with one denormal,
// which takes the careful path.
func BenchmarkRow(b *testing.B) {
	type kernel struct {
		name string
		run  func(d, x, y, z *Row)
	}
	kernels := []kernel{
		{"Add", func(d, x, y, z *Row) { AddRow(d, x, y) }},
		{"Sub", func(d, x, y, z *Row) { SubRow(d, x, y) }},
		{"AddRZ", func(d, x, y, z *Row) { AddRowRZ(d, x, y) }},
		{"Mul", func(d, x, y, z *Row) { MulRow(d, x, y) }},
		{"MulRZ", func(d, x, y, z *Row) { MulRowRZ(d, x, y) }},
		{"Mad", func(d, x, y, z *Row) { MadRow(d, x, y, z) }},
		{"Min", func(d, x, y, z *Row) { MinRow(d, x, y) }},
		{"Max", func(d, x, y, z *Row) { MaxRow(d, x, y) }},
		{"Select", func(d, x, y, z *Row) { SelectRow(d, x, y, z) }},
		{"Sat", func(d, x, y, z *Row) { SatRow(d, x) }},
		{"Less", func(d, x, y, z *Row) { d[0] = CompareRow(x, y, Less) }},
		{"LessGreater", func(d, x, y, z *Row) { d[0] = CompareRow(x, y, Less|Greater) }},
		{"Flags", func(d, x, y, z *Row) { d[0], d[1] = FlagsRow(x) }},
	}
	for _, c := range []Conversion{
		{To: F32, From: S32}, {To: F32, From: U32}, {To: F32, From: U16}, {To: F32, From: S32, Round: RZ},
		{To: S32, From: F32, Round: RZ}, {To: S32, From: F32}, {To: S32, From: F32, Round: RM},
		{To: U32, From: F32, Round: RZ}, {To: U16, From: F32, Round: RZ},
		{To: F32, From: F32, Neg: true}, {To: F32, From: F32, Integral: true, Round: RM}, {To: F32, From: F32, Sat: true},
		{To: U32, From: U16}, {To: S32, From: S16}, {To: F32, From: F16}, {To: F16, From: F32},
	} {
		body := c.RowFunc()
		kernels = append(kernels, kernel{fmt.Sprintf("%v", c), func(d, x, y, z *Row) { body(d, x) }})
	}
	rng := rand.New(rand.NewSource(1))
	plain, zeros, denormal := [3]Row{}, [3]Row{}, [3]Row{}
	for o := range plain {
		for i := range plain[o] {
			plain[o][i] = math.Float32bits((rng.Float32() - 0.5) * 100)
		}
		zeros[o], denormal[o] = plain[o], plain[o]
		zeros[o][3], zeros[o][20], zeros[o][9*o] = 0, 0, 0
		denormal[o][5] = 7
	}
	data := []struct {
		name string
		rows [3]Row
	}{{"plain", plain}, {"zeros", zeros}, {"denormal", denormal}}
	for _, k := range kernels {
		for _, x := range data {
			b.Run(k.name+"/"+x.name, func(b *testing.B) {
				var d Row
				for b.Loop() {
					k.run(&d, &x.rows[0], &x.rows[1], &x.rows[2])
				}
			})
		}
	}
}
