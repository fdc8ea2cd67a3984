package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"jacquard/study/programs"
)

// table prints one line per program as it ends, and a count after them.
type table struct {
	w      io.Writer
	counts map[programs.Verdict]int
	all    int
}

func newTable(w io.Writer) *table {
	fmt.Fprintf(w, "%-28s %-12s %8s %8s %9s %18s  %s\n", "program", "result", "time", "cpu", "launches", "warp instructions", "reason")
	return &table{w: w, counts: map[programs.Verdict]int{}}
}

func (t *table) add(name string, r *programs.Result) {
	elapsed, processor := r.Elapsed.Round(10*time.Millisecond), r.Processor.Round(10*time.Millisecond)
	line := fmt.Sprintf("%-28s %-12s %8s %8s %9d %18d  %s",
		name, r.Verdict, elapsed, processor, len(r.Launches), r.WarpInstructions(), programs.Short(r.Reason, 100))
	fmt.Fprintln(t.w, strings.TrimRight(line, " "))
	t.counts[r.Verdict]++
	t.all++
}

func (t *table) end() {
	fmt.Fprintf(t.w, "%d programs: %d passed, %d waived, %d cannot start, %d failed\n",
		t.all, t.counts[programs.Passed], t.counts[programs.Waived], t.counts[programs.Absent],
		t.counts[programs.Failed]+t.counts[programs.Silent])
}
