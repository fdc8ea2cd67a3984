package rollup

import (
	"fmt"
	"strconv"
)

// column is a figure of a row that tables show.
type column struct {
	name  string
	of    func(r *Row) float64
	print func(v float64) string
	tags  bool // shown only if operands were counted
}

func columns() []column {
	whole := func(get func(r *Row) uint64) func(*Row) float64 {
		return func(r *Row) float64 { return float64(get(r)) }
	}
	return []column{
		{"launches", func(r *Row) float64 { return float64(r.Launches) }, integer, false},
		{"static", func(r *Row) float64 { return float64(r.Static) }, integer, false},
		{"issues", whole(func(r *Row) uint64 { return r.Counts.Issues }), integer, false},
		{"threads", whole(func(r *Row) uint64 { return r.Counts.Threads }), integer, false},
		{"lanes", (*Row).Lanes, func(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }, false},
		{"off", whole(func(r *Row) uint64 { return r.Counts.Off }), integer, false},
		{"divergent", whole(func(r *Row) uint64 { return r.Counts.Branch.Divergent }), integer, false},
		{"transactions", whole(func(r *Row) uint64 { return r.Transactions }), integer, false},
		{"bytes", whole(func(r *Row) uint64 { return r.Bytes }), integer, false},
		{"conflicts", whole((*Row).Conflicts), integer, false},
		{"uniform", func(r *Row) float64 { return r.share(r.Counts.Operands.ReadsUniform) }, percent, true},
		{"affine", func(r *Row) float64 { return r.share(r.Counts.Operands.ReadsAffine) }, percent, true},
	}
}

// shown lists the columns of a table with some total.
func shown(total *Row) []column {
	var list []column
	for _, c := range columns() {
		if !c.tags || total.Counts.Operands.Reads > 0 {
			list = append(list, c)
		}
	}
	return list
}

// share returns which part n is of the registers that are read, 0 if there are none.
func (r *Row) share(n uint64) float64 {
	return float64(n) / float64(max(r.Counts.Operands.Reads, 1))
}

func percent(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }

// integer prints a count; those beyond 2^53 lose their last digits, and no run is as long.
func integer(v float64) string { return fmt.Sprintf("%.0f", v) }

// Columns names the figures that tables show and rows can be sorted by.
func Columns() []string {
	var names []string
	for _, c := range columns() {
		names = append(names, c.name)
	}
	return names
}
