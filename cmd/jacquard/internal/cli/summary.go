package cli

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"
	"time"

	"jacquard/internal/plain"
	"jacquard/libcuda/driver/events"
)

// besideNames is the width of all columns but the names of kernels, leastName what stays of a name.
const (
	besideNames = 95
	leastName   = 12
)

// printKernels prints one row per kernel: the instructions and the time of its launches, and the
// number of failures if there are any. A kernel without instructions was not counted, or refused:
// "-" stands for its counts. On a terminal, long names are cut so that the rows fit. Notes follow
// on lanes that must run in lockstep and on accesses beyond allocations.
func printKernels(out io.Writer, r *events.Record) error {
	kernels := r.Kernels()
	failures := slices.ContainsFunc(kernels, func(k events.Kernel) bool { return k.Failed > 0 })
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "kernel\tlaunches\twarp instructions\tthread instructions\taverage active lanes\ttime\t")
	if failures {
		fmt.Fprint(w, "failed\t")
	}
	fmt.Fprintln(w)
	room := math.MaxInt
	if width := widthOf(out); width > 0 {
		room = max(width-besideNames, leastName)
	}
	for _, k := range kernels {
		plain.Fprintf(w, "%s\t%d\t", cut(k.Name, room), k.Launches)
		if k.WarpInstructions > 0 {
			fmt.Fprintf(w, "%d\t%d\t%.2f\t", k.WarpInstructions, k.ThreadInstructions, k.AverageLanes)
		} else {
			fmt.Fprint(w, "-\t-\t-\t")
		}
		fmt.Fprintf(w, "%s\t", seconds(k.Seconds))
		if failures {
			plain.Fprintf(w, "%d\t", k.Failed)
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, k := range kernels {
		if k.InStep != "" {
			plain.Fprintf(out, "note: %s\n", k.InStep)
		}
		if k.Overrun != "" {
			fmt.Fprintf(out, "note: %s\n", k.Overrun)
		}
		for _, m := range k.MissedBarriers {
			plain.Fprintf(out, "note: %s\n", m)
		}
	}
	return printExecuted(out, kernels)
}

// printExecuted prints the share of exact instructions, if instructions were counted.
func printExecuted(out io.Writer, kernels []events.Kernel) error {
	var sum events.Exactness
	for i := range kernels {
		sum.Add(kernels[i].Exactness)
	}
	exact := sum.Verified.ThreadInstructions + sum.Documented.ThreadInstructions
	total := exact + sum.Unverified.ThreadInstructions
	if total == 0 {
		return nil
	}
	percent := func(n uint64) string { // cut, not rounded: 100 % is all
		tenths := uint64(1000 * float64(n) / float64(total))
		if n == total {
			return "100"
		}
		return fmt.Sprintf("%d.%d", tenths/10, tenths%10)
	}
	others := ""
	if exact < total {
		others = "; jacquard info --exactness lists the others"
	}
	_, err := fmt.Fprintf(out, "exact: %s %% of the thread instructions (%s %% verified on hardware, %s %% documented)%s\n",
		percent(exact), percent(sum.Verified.ThreadInstructions), percent(sum.Documented.ThreadInstructions), others)
	return err
}

// cut returns the text if it has no more characters than most, and else the beginning and a mark.
func cut(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}

// seconds prints a time with three or four digits.
func seconds(s float64) string {
	d := time.Duration(s * float64(time.Second))
	digit := 100 * time.Nanosecond
	switch {
	case d >= time.Second:
		digit = time.Millisecond
	case d >= time.Millisecond:
		digit = time.Microsecond
	}
	return d.Round(digit).String()
}
