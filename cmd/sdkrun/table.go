package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// table prints one line per program as it ends, and a count after them.
type table struct {
	w      io.Writer
	counts map[verdict]int
	all    int
}

func newTable(w io.Writer) *table {
	fmt.Fprintf(w, "%-28s %-12s %8s %8s %9s %18s  %s\n", "program", "result", "time", "cpu", "launches", "warp instructions", "reason")
	return &table{w: w, counts: map[verdict]int{}}
}

func (t *table) add(name string, r result) {
	const longest = 100
	if len(r.reason) > longest {
		r.reason = r.reason[:longest] + "..."
	}
	line := fmt.Sprintf("%-28s %-12s %8s %8s %9d %18d  %s", name, r.verdict, r.elapsed.Round(10*time.Millisecond), r.processor.Round(10*time.Millisecond), len(r.launched), r.instructions, r.reason)
	fmt.Fprintln(t.w, strings.TrimRight(line, " "))
	t.counts[r.verdict]++
	t.all++
}

func (t *table) end() {
	fmt.Fprintf(t.w, "%d programs: %d passed, %d waived, %d cannot start, %d failed\n",
		t.all, t.counts[passed], t.counts[waived], t.counts[absent], t.counts[failed])
}
