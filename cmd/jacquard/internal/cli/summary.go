package cli

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"jacquard/cmd/jacquard/internal/events"
)

// printKernels prints one row a kernel: what its launches executed and how long they
// took, and how many failed if any did.
func printKernels(out io.Writer, r *events.Record) error {
	kernels := r.Kernels()
	failures := slices.ContainsFunc(kernels, func(k events.Kernel) bool { return k.Failed > 0 })
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "kernel\tlaunches\twarp instructions\tthread instructions\taverage active lanes\ttime\t")
	if failures {
		fmt.Fprint(w, "failed\t")
	}
	fmt.Fprintln(w)
	for _, k := range kernels {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%.2f\t%s\t", k.Name, k.Launches, k.WarpInstructions, k.ThreadInstructions, k.AverageLanes, seconds(k.Seconds))
		if failures {
			fmt.Fprintf(w, "%d\t", k.Failed)
		}
		fmt.Fprintln(w)
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
