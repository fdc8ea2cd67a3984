package sfu

import "fmt"

// Quadratics returns the coefficients of a function's quadratics, constant term first, by the
// index of the interval. The names are the file names in tables: ex2, lg2, rcp, rsqrt and sin.
// Vector code keeps tables of its own, in another form.
func Quadratics(name string) (rows [][3]int32) {
	var table []segment
	switch name {
	case "ex2":
		table = ex2Table[:]
	case "lg2":
		table = lg2Table[:]
	case "rcp":
		table = rcpTable[:]
	case "rsqrt":
		table = rsqrtTable[:]
	case "sin":
		table = sinTable[:]
	default:
		panic(fmt.Sprintf("sfu: no table %q", name))
	}
	for _, s := range table {
		rows = append(rows, [3]int32{s.c0, s.c1, s.c2})
	}
	return rows
}
