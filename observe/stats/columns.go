package stats

import (
	"jacquard/observe/table"
	"jacquard/simt"
	"jacquard/tesla"
)

// Column is a counter of a launch.
type Column struct {
	Name string                    // in files and tables
	Help string                    // its meaning, in one sentence
	Of   func(*simt.Stats) *uint64 // its field
}

// Columns lists the counters of a launch that are single numbers. Launch.Stats also has histograms
// and maxima, and Memory, the sum over the instructions.
func Columns() []Column {
	type s = simt.Stats
	return []Column{
		{"warp_instructions", "Issues, those without lanes and those that a join marker vetoed included.", func(s *s) *uint64 { return &s.WarpInstructions }},
		{"thread_instructions", "Lanes that executed, summed over issues; every active lane executes a branch, taken or not.", func(s *s) *uint64 { return &s.ThreadInstructions }},
		{"annotations", "Issues of instructions that tell the divergence policy something and do nothing else: joinat, breakaddr, preret, and nop with a join marker.", func(s *s) *uint64 { return &s.Annotations }},
		{"reissued_joins", "Issues of an instruction with a join marker at which the policy sent the lanes elsewhere, so that it must be issued again.", func(s *s) *uint64 { return &s.ReissuedJoins }},
		{"merges", "For every issue, the number of different issues in which its lanes had last been active, less one.", func(s *s) *uint64 { return &s.Merges }},
		{"multiple_merges", "Issues whose lanes had last been active in three or more different issues.", func(s *s) *uint64 { return &s.MultipleMerges }},
		{"swaps", "Issues that have no lane in common with the issue before of the same home warp.", func(s *s) *uint64 { return &s.Swaps }},
		{"barrier_waits", "Rounds that warps waited at barriers, added up: those in which a warp does not issue because it waits.", func(s *s) *uint64 { return &s.BarrierWaits }},
		{"partial_barriers", "Arrivals at a barrier by warps with only part of their live lanes active.", func(s *s) *uint64 { return &s.PartialBarriers }},
		{"pc_arbitrations", "Issues of instructions after which lanes may stand elsewhere than behind them.", func(s *s) *uint64 { return &s.Arbiter.PC }},
		{"memory_arbitrations", "Issues of instructions that access memory at an address of each lane.", func(s *s) *uint64 { return &s.Arbiter.Memory }},
		{"no_arbitrations", "Issues that are neither.", func(s *s) *uint64 { return &s.Arbiter.Neither }},
		{"predictions", "Issues after a conditional branch at the pc that the policy's branch predictor named.", func(s *s) *uint64 { return &s.Predictions }},
		{"mispredictions", "Those of them that are empty: no lane was there.", func(s *s) *uint64 { return &s.Mispredictions }},
		{"access_replays", "Issues of accesses again, for lanes that were not served, if costs are counted.", func(s *s) *uint64 { return &s.Costs.Replays }},
		{"arbiter_steps", "Choices of a pc or an address by the one arbiter of a warp.", func(s *s) *uint64 { return &s.Costs.ArbiterSteps }},
		{"contested_arbitrations", "Choices of a pc among several.", func(s *s) *uint64 { return &s.Costs.Contested }},
		{"stack_beyond", "Issues after which the control stack had more entries than its cache holds.", func(s *s) *uint64 { return &s.Costs.StackBeyond }},
		{"stack_spills", "Blocks of four stack entries written to memory.", func(s *s) *uint64 { return &s.Costs.StackSpills }},
		{"stack_fills", "Blocks of four stack entries read again.", func(s *s) *uint64 { return &s.Costs.StackFills }},
	}
}

// InstructionColumn is a counter of a static instruction in a launch.
type InstructionColumn struct {
	Name string
	Help string
	Of   func(*simt.InstructionStats) *uint64
}

// InstructionColumns lists the counters of an instruction, except the histogram of active lanes.
func InstructionColumns() []InstructionColumn {
	type s = simt.InstructionStats
	return []InstructionColumn{
		{"issues", "Issues of the instruction.", func(s *s) *uint64 { return &s.Issues }},
		{"threads", "Lanes that executed it.", func(s *s) *uint64 { return &s.Threads }},
		{"off", "Active lanes that a false guard kept from executing it.", func(s *s) *uint64 { return &s.Off }},
		{"vetoed", "Issues of it counted in reissued_joins.", func(s *s) *uint64 { return &s.Vetoed }},
		{"waited", "Rounds that warps waited at a barrier, added up.", func(s *s) *uint64 { return &s.Waited }},
		{"taken", "Issues of a branch, break or return that all active lanes took.", func(s *s) *uint64 { return &s.Branch.Taken }},
		{"not_taken", "Issues of one that no active lane took.", func(s *s) *uint64 { return &s.Branch.NotTaken }},
		{"divergent", "Issues of one that some active lanes took and others did not.", func(s *s) *uint64 { return &s.Branch.Divergent }},
		{"threads_taken", "Lanes that took it, summed over issues.", func(s *s) *uint64 { return &s.Branch.Threads }},
		{"device_accesses", "Half-warps with a lane that accesses g[] or l[]; 8- and 16-byte elements of l[] are 2 and 4 accesses.", func(s *s) *uint64 { return &s.Memory.Device.Accesses }},
		{"g80_32", "Transactions of 32 bytes by the rule of compute capability 1.0 and 1.1.", func(s *s) *uint64 { return &s.Memory.Device.G80.By32 }},
		{"g80_64", "Those of 64 bytes.", func(s *s) *uint64 { return &s.Memory.Device.G80.By64 }},
		{"g80_128", "Those of 128 bytes.", func(s *s) *uint64 { return &s.Memory.Device.G80.By128 }},
		{"gt200_32", "Transactions of 32 bytes by the rule of 1.2 and 1.3.", func(s *s) *uint64 { return &s.Memory.Device.GT200.By32 }},
		{"gt200_64", "Those of 64 bytes.", func(s *s) *uint64 { return &s.Memory.Device.GT200.By64 }},
		{"gt200_128", "Those of 128 bytes.", func(s *s) *uint64 { return &s.Memory.Device.GT200.By128 }},
		{"shared_accesses", "Half-warps with a lane that accesses s[], operands included; 8- and 16-byte elements are 2 and 4 accesses.", func(s *s) *uint64 { return &s.Memory.Shared.Accesses }},
		{"shared_single", "Those without a bank conflict.", func(s *s) *uint64 { return &s.Memory.Shared.Single }},
		{"shared_steps", "Steps that they take together; one each is the least.", func(s *s) *uint64 { return &s.Memory.Shared.Steps }},
		{"const_accesses", "Half-warps with a lane that accesses c[] at an address register.", func(s *s) *uint64 { return &s.Memory.Const.Accesses }},
		{"const_single", "Those whose lanes all read one address.", func(s *s) *uint64 { return &s.Memory.Const.Single }},
		{"const_steps", "Steps that they take together, one for each address.", func(s *s) *uint64 { return &s.Memory.Const.Steps }},
		{"reads", "Registers that the instruction reads, for each warp of which a lane executes it, if operands are counted.", func(s *s) *uint64 { return &s.Operands.Reads }},
		{"reads_uniform", "Those whose tag is uniform.", func(s *s) *uint64 { return &s.Operands.ReadsUniform }},
		{"reads_affine", "Those whose tag is affine, or split.", func(s *s) *uint64 { return &s.Operands.ReadsAffine }},
		{"writes", "Registers that it writes, likewise.", func(s *s) *uint64 { return &s.Operands.Writes }},
		{"writes_uniform", "Those whose tag is uniform.", func(s *s) *uint64 { return &s.Operands.WritesUniform }},
		{"writes_affine", "Those whose tag is affine, or split.", func(s *s) *uint64 { return &s.Operands.WritesAffine }},
		{"replays", "Issues of it again for lanes that were not served, if costs are counted.", func(s *s) *uint64 { return &s.Replays }},
	}
}

// Add adds the counters of a launch, except those by instruction.
func Add(to, s *simt.Stats) {
	for _, c := range Columns() {
		*c.Of(to) += *c.Of(s)
	}
	addTo(to.Active[:], s.Active[:])
	addTo(to.JoinAts[:], s.JoinAts[:])
	addTo(to.BCC[:], s.BCC[:])
	addTo(to.QuadBCC[:], s.QuadBCC[:])
	addTo(to.SCC[:], s.SCC[:])
	to.Waves += s.Waves
	to.Elapsed += s.Elapsed
	to.MostPaths = max(to.MostPaths, s.MostPaths)
	to.DeepestStack = max(to.DeepestStack, s.DeepestStack)
}

// instructionColumns are made once, because launches have many instructions.
var instructionColumns = InstructionColumns()

// AddInstruction adds the counters of an instruction.
func AddInstruction(to, s *simt.InstructionStats) {
	for _, c := range instructionColumns {
		*c.Of(to) += *c.Of(s)
	}
	addTo(to.Active[:], s.Active[:])
}

func addTo(sums, what []uint64) {
	for i, v := range what {
		sums[i] += v
	}
}

// field is a column of the tables for other tools. A table has one row per instruction and launch,
// including instructions never issued. Exactly one of the three functions is set.
type field struct {
	name   string
	number func(r *row) int64
	real   func(r *row) float64
	text   func(r *row) string
}

// row is an instruction of a launch.
type row struct {
	run     string // in a Table
	launch  *Launch
	columns *table.Lead
	index   int
	in      *tesla.Instruction
	counted *simt.InstructionStats
}

// fields lists the columns, the leading ones first, except the histogram of active lanes: each format
// writes it in its own way as the last column, histogramField.
func fields() []field {
	var list []field
	for _, c := range table.Columns() {
		f := field{name: c.Name}
		if c.Text != nil {
			f.text = func(r *row) string { return *c.Text(r.columns) }
		} else {
			f.number = func(r *row) int64 { return **c.Number(r.columns) } // a launch has them all
		}
		list = append(list, f)
	}
	list = append(list, []field{
		{name: "hash", text: func(r *row) string { return r.launch.Kernel.Hash }},
		{name: "seconds", real: func(r *row) float64 { return r.launch.Stats.Elapsed.Seconds() }},
		{name: "incomplete", number: func(r *row) int64 { return flag(r.launch.Stats.Incomplete) }},
		{name: "pc", number: func(r *row) int64 { return int64(r.launch.Kernel.PCs[r.index]) }},
		{name: "op", text: func(r *row) string { return r.in.Op.String() }},
		{name: "class", text: func(r *row) string { return r.in.Op.Class().String() }},
		{name: "exactness", text: func(r *row) string { return r.in.Certainty().Exactness.String() }},
		{name: "instruction", text: func(r *row) string { return r.in.String() }},
	}...)
	for _, c := range InstructionColumns() {
		list = append(list, field{name: c.Name, number: func(r *row) int64 { return int64(*c.Of(r.counted)) }})
	}
	return list
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

const histogramField = "active_lanes"

// rowsOf returns the rows of a launch, none if the launch counted nothing.
func rowsOf(l *Launch) []row {
	rows, columns := make([]row, len(l.Stats.ByInstruction)), l.Columns()
	for i := range rows {
		rows[i] = row{launch: l, columns: &columns, index: i, in: &l.Kernel.Code[i], counted: &l.Stats.ByInstruction[i]}
	}
	return rows
}
