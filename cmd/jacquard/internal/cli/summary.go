package cli

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"jacquard/cubin/plain"
	"jacquard/libcuda/events"
)

// printKernels prints one row a kernel: what its launches executed and how long they
// took, and how many failed if any did. Below it stands where they rely on lanes running in
// step, and where they reach beyond allocations.
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
		plain.Fprintf(w, "%s\t%d\t%d\t%d\t%.2f\t%s\t", k.Name, k.Launches, k.WarpInstructions, k.ThreadInstructions, k.AverageLanes, seconds(k.Seconds))
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
	}
	return printExecuted(out, kernels)
}

// printExecuted says how much of what was executed is exact, if anything was counted.
func printExecuted(out io.Writer, kernels []events.Kernel) error {
	var sum events.Exactness
	for i := range kernels {
		sum.Add(kernels[i].Exactness)
	}
	total := sum.Verified.ThreadInstructions + sum.Documented.ThreadInstructions + sum.Unverified.ThreadInstructions
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
	exact := sum.Verified.ThreadInstructions + sum.Documented.ThreadInstructions
	_, err := plain.Fprintf(out, "exact: %s %% of the thread instructions (%s %% verified on hardware, %s %% documented)",
		percent(exact), percent(sum.Verified.ThreadInstructions), percent(sum.Documented.ThreadInstructions))
	if err == nil && exact < total {
		_, err = fmt.Fprint(out, "; jacquard info --exactness lists the others")
	}
	if err == nil {
		_, err = fmt.Fprintln(out)
	}
	return err
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
