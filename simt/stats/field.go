package stats

import (
	"jacquard/simt"
	"jacquard/tesla"
)

// field is a column of the tables that other tools read, which have a row for each instruction of
// each launch, those that were never issued included. One of the three functions is there.
type field struct {
	name   string
	number func(r *row) int64
	real   func(r *row) float64
	text   func(r *row) string
}

// row is an instruction of a launch.
type row struct {
	launch  *Launch
	index   int
	in      *tesla.Instruction
	counted *simt.InstructionStats
}

// fields lists the columns, but for the histogram of active lanes, which each format has in its own
// way as the last, called histogramField.
func fields() []field {
	list := []field{
		{name: "launch", number: func(r *row) int64 { return int64(r.launch.Number) }},
		{name: "kernel", text: func(r *row) string { return r.launch.Kernel.Name }},
		{name: "hash", text: func(r *row) string { return r.launch.Kernel.Hash }},
		{name: "arch", text: func(r *row) string { return r.launch.Kernel.Arch.String() }},
		{name: "device", text: func(r *row) string { return r.launch.Device }},
		{name: "grid_x", number: func(r *row) int64 { return int64(r.launch.Stats.Grid[0]) }},
		{name: "grid_y", number: func(r *row) int64 { return int64(r.launch.Stats.Grid[1]) }},
		{name: "block_x", number: func(r *row) int64 { return int64(r.launch.Stats.Block[0]) }},
		{name: "block_y", number: func(r *row) int64 { return int64(r.launch.Stats.Block[1]) }},
		{name: "block_z", number: func(r *row) int64 { return int64(r.launch.Stats.Block[2]) }},
		{name: "seconds", real: func(r *row) float64 { return r.launch.Stats.Elapsed.Seconds() }},
		{name: "incomplete", number: func(r *row) int64 { return int64(flag(r.launch.Stats.Incomplete)) }},
		{name: "pc", number: func(r *row) int64 { return int64(r.launch.Kernel.PCs[r.index]) }},
		{name: "op", text: func(r *row) string { return r.in.Op.String() }},
		{name: "class", text: func(r *row) string { return r.in.Op.Class().String() }},
		{name: "exactness", text: func(r *row) string { return r.in.Certainty().Exactness.String() }},
		{name: "instruction", text: func(r *row) string { return r.in.String() }},
	}
	for _, c := range InstructionColumns() {
		list = append(list, field{name: c.Name, number: func(r *row) int64 { return int64(*c.Of(r.counted)) }})
	}
	return list
}

const histogramField = "active_lanes"

// rowsOf returns the rows of a launch, none if it counted nothing.
func rowsOf(l *Launch) []row {
	rows := make([]row, len(l.Stats.ByInstruction))
	for i := range rows {
		rows[i] = row{l, i, &l.Kernel.Code[i], &l.Stats.ByInstruction[i]}
	}
	return rows
}
