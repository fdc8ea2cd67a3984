package rollup

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"jacquard/observe/stats"
	"jacquard/observe/table"
	"jacquard/simt"
	"jacquard/tesla"
)

// Row is the sum of some instructions of a run, under one policy.
type Row struct {
	Of       table.Lead // the leading columns that its launches share
	Key      []string   // common values of the instructions, as Table.Keys names them
	Launches int        // launches that issued one of the instructions
	Static   int        // number of instructions in the code
	Seconds  float64    // of whole launches; otherwise 0
	Counts   simt.InstructionStats
	Sums     simt.Stats // the counters (stats.Columns) and lanes of whole launches; otherwise 0

	// Transactions of device memory, and their bytes, by the rule of the architecture of each
	// kernel.
	Transactions, Bytes uint64

	// Published has the dynamic instructions of papers on the simulator's predecessor: issues,
	// except for joinat and for issues that a join marker vetoed. C. Collange, "Stack-less SIMT
	// reconvergence at low cost" (2011), table 3, has the figures of the stackless policy.
	Published uint64

	order int // order of first appearance
}

// Lanes returns the mean active lanes per issue, 0 without issues.
func (r *Row) Lanes() float64 {
	var lanes uint64
	for n, issues := range r.Counts.Active {
		lanes += uint64(n) * issues
	}
	return float64(lanes) / float64(max(r.Counts.Issues, 1))
}

// Conflicts returns the steps of accesses to s[] beyond the first of each.
func (r *Row) Conflicts() uint64 { return r.Counts.Memory.Shared.Conflicts() }

// Table is a roll-up.
type Table struct {
	Keys    []string // names of the parts of a row's key
	Rows    []*Row
	Totals  []*Row // without keys, one for each policy
	Dropped int    // rows that Top removed

	by   dimension
	at   map[string]*Row
	seen map[seen]bool
}

// seen is a kernel or launch counted in a row.
type seen struct {
	row    *Row
	launch bool
	number int
}

// dimension is a property to sum up by.
type dimension struct {
	name  string
	keys  []string
	whole bool // a row consists of whole launches
	key   func(l *stats.Launch, i int) []string
}

func dimensions() []dimension {
	code := func(l *stats.Launch, i int) *tesla.Instruction { return &l.Kernel.Code[i] }
	kernel := func(l *stats.Launch, _ int) []string {
		return []string{l.Kernel.Name, l.Kernel.Arch.String(), l.Kernel.Hash}
	}
	return []dimension{
		{"kernel", []string{"kernel", "arch", "code"}, true, kernel},
		{"launch", []string{"launch", "kernel", "grid", "block"}, true, func(l *stats.Launch, _ int) []string {
			s := &l.Stats
			return []string{strconv.Itoa(l.Number), l.Kernel.Name, fmt.Sprintf("%dx%d", s.Grid[0], s.Grid[1]), fmt.Sprintf("%dx%dx%d", s.Block[0], s.Block[1], s.Block[2])}
		}},
		{"class", []string{"class"}, false, func(l *stats.Launch, i int) []string {
			return []string{code(l, i).Op.Class().String()}
		}},
		{"op", []string{"op", "class"}, false, func(l *stats.Launch, i int) []string {
			op := code(l, i).Op
			return []string{op.String(), op.Class().String()}
		}},
		{"instruction", []string{"kernel", "arch", "code", "pc", "instruction"}, false, func(l *stats.Launch, i int) []string {
			return append(kernel(l, i), fmt.Sprintf("%04x", l.Kernel.PCs[i]), code(l, i).String())
		}},
		{"exactness", []string{"exactness"}, false, func(l *stats.Launch, i int) []string {
			return []string{code(l, i).Certainty().Exactness.String()}
		}},
		{"program", nil, true, func(*stats.Launch, int) []string { return nil }},
	}
}

// Dimensions lists the names of the dimensions.
func Dimensions() []string {
	var names []string
	for _, d := range dimensions() {
		names = append(names, d.name)
	}
	return names
}

// New returns an empty roll-up by one of Dimensions; nil for another name.
func New(by string) *Table {
	for _, d := range dimensions() {
		if d.name == by {
			return &Table{Keys: d.keys, by: d, at: map[string]*Row{}, seen: map[seen]bool{}}
		}
	}
	return nil
}

// Add counts a launch.
func (t *Table) Add(l *stats.Launch) {
	total := t.total(l)
	total.Launches++
	total.Seconds += l.Stats.Elapsed.Seconds()
	known := t.seen[seen{total, false, l.Kernel.Number}]
	if !known {
		t.seen[seen{total, false, l.Kernel.Number}] = true
		total.Static += len(l.Kernel.Code)
	}
	switch {
	case len(l.Kernel.Code) == 0:
	case t.by.whole:
		t.addWhole(l, total)
	case !known || len(l.Stats.ByInstruction) > 0:
		t.addInstructions(l, total)
	}
}

// total returns the total of the policy of a launch.
func (t *Table) total(l *stats.Launch) *Row {
	for _, r := range t.Totals {
		if r.Of.Policy == l.Policy {
			return r
		}
	}
	total := &Row{Of: l.Columns()}
	t.Totals = append(t.Totals, total)
	return total
}

// addWhole counts a launch in its one row.
func (t *Table) addWhole(l *stats.Launch, total *Row) {
	of := l.Columns()
	row := t.row(&of, t.by.key(l, 0))
	row.Seconds += l.Stats.Elapsed.Seconds()
	stats.Add(&row.Sums, &l.Stats)
	if kernel := (seen{row, false, l.Kernel.Number}); !t.seen[kernel] {
		t.seen[kernel] = true
		row.Static += len(l.Kernel.Code)
	}
	for i := range l.Stats.ByInstruction {
		s := &l.Stats.ByInstruction[i]
		row.add(s, l.Kernel, i)
		total.add(s, l.Kernel, i)
	}
	if len(l.Stats.ByInstruction) > 0 {
		row.Launches++
	}
}

// addInstructions counts each instruction of a launch in its row.
func (t *Table) addInstructions(l *stats.Launch, total *Row) {
	var rows []*Row // by instruction
	of := l.Columns()
	for i := range l.Kernel.Code {
		rows = append(rows, t.row(&of, t.by.key(l, i)))
	}
	for i, row := range rows {
		if !t.seen[seen{row, false, l.Kernel.Number}] {
			row.Static++
		}
		if len(l.Stats.ByInstruction) == 0 {
			continue
		}
		s := &l.Stats.ByInstruction[i]
		row.add(s, l.Kernel, i)
		total.add(s, l.Kernel, i)
		if s.Issues > 0 && !t.seen[seen{row, true, l.Number}] {
			t.seen[seen{row, true, l.Number}] = true
			row.Launches++
		}
	}
	for _, row := range rows {
		t.seen[seen{row, false, l.Kernel.Number}] = true
	}
}

// row returns the row of a key under the policy of a launch, a new one at first.
func (t *Table) row(of *table.Lead, key []string) *Row {
	name := nameOf(of.Policy, key)
	row := t.at[name]
	if row == nil {
		row = &Row{Of: *of, Key: key, order: len(t.Rows)}
		t.at[name] = row
		t.Rows = append(t.Rows, row)
	}
	row.Of.Merge(of)
	return row
}

// nameOf returns the identity of a row: its policy and its key.
func nameOf(policy string, key []string) string { return fmt.Sprintf("%q %q", policy, key) }

// add counts the instruction at index i of a kernel.
func (r *Row) add(s *simt.InstructionStats, k *stats.Kernel, i int) {
	stats.AddInstruction(&r.Counts, s)
	if k.Code[i].Op != tesla.OpJoinAt {
		r.Published += s.Issues - s.Vetoed
	}
	moved := s.Memory.Device.Of(k.Arch)
	r.Transactions += moved.Count()
	r.Bytes += moved.Bytes()
}

// Sort sorts the rows by a column of Columns, highest first; "" restores the order of first
// appearance. Equal rows keep that order. Sort reports false if there is no such column.
func (t *Table) Sort(column string) bool {
	if column == "" {
		slices.SortFunc(t.Rows, func(a, b *Row) int { return a.order - b.order })
		return true
	}
	for _, c := range columns() {
		if c.name == column {
			slices.SortStableFunc(t.Rows, func(a, b *Row) int { return cmp.Compare(c.of(b), c.of(a)) })
			return true
		}
	}
	return false
}

// Top keeps the first n rows.
func (t *Table) Top(n int) {
	if n < len(t.Rows) {
		t.Dropped = len(t.Rows) - n
		t.Rows = t.Rows[:n]
	}
}
