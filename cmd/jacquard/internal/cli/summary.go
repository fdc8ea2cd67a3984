package cli

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"jacquard/cmd/jacquard/internal/events"
)

// printKernels prints one row a kernel: what its launches executed and how long they took.
func printKernels(out io.Writer, r *events.Record) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "kernel\tlaunches\twarp instructions\tthread instructions\taverage active lanes\ttime\t")
	for _, k := range r.Kernels() {
		note := ""
		if k.Failed > 0 {
			note = fmt.Sprintf("%d failed", k.Failed)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%.2f\t%s\t%s\n", k.Name, k.Launches, k.WarpInstructions, k.ThreadInstructions, k.AverageLanes, seconds(k.Seconds), note)
	}
	return w.Flush()
}

// seconds prints a time with three or four digits.
func seconds(s float64) string {
	d := time.Duration(s * float64(time.Second))
	switch {
	case d >= time.Second:
		return d.Round(time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(time.Microsecond).String()
	default:
		return d.Round(100 * time.Nanosecond).String()
	}
}
