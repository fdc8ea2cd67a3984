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
}

func columns() []column {
	whole := func(get func(r *Row) uint64) func(*Row) float64 {
		return func(r *Row) float64 { return float64(get(r)) }
	}
	return []column{
		{"launches", func(r *Row) float64 { return float64(r.Launches) }, integer},
		{"static", func(r *Row) float64 { return float64(r.Static) }, integer},
		{"issues", whole(func(r *Row) uint64 { return r.Counts.Issues }), integer},
		{"threads", whole(func(r *Row) uint64 { return r.Counts.Threads }), integer},
		{"lanes", (*Row).Lanes, func(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }},
		{"off", whole(func(r *Row) uint64 { return r.Counts.Off }), integer},
		{"divergent", whole(func(r *Row) uint64 { return r.Counts.Branch.Divergent }), integer},
		{"transactions", whole(func(r *Row) uint64 { return r.Transactions }), integer},
		{"bytes", whole(func(r *Row) uint64 { return r.Bytes }), integer},
		{"conflicts", whole((*Row).Conflicts), integer},
	}
}

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
