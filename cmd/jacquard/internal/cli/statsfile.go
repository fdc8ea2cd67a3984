package cli

import (
	"io"
	"strings"

	"jacquard/cubin/plain"
	"jacquard/libcuda/driver/knobs"
	"jacquard/simt/stats"
)

// isTarget reports whether the stats knob's value says where statistics go.
func isTarget(knob string) bool { return knob != "" && knob != "on" && knob != "off" }

// statsTarget returns the stats knob's value with an absolute path, because a program may change its
// folder; "" if there is nothing to write.
func statsTarget(s knobs.Settings) (string, error) {
	if !isTarget(s.Stats) {
		return "", nil
	}
	t, err := stats.ParseTarget(s.Stats)
	if err != nil {
		return "", err
	}
	t, err = t.Absolute()
	return t.String(), err
}

// reportStats says what the statistics of a run that ended hold, if it wrote some. Those of each process
// are not looked at, nor those that only other tools read, nor what is no file.
func reportStats(w io.Writer, knob string) {
	t, err := stats.ParseTarget(knob)
	if !isTarget(knob) || err != nil || t.Kind != stats.JSON || strings.Contains(t.Path, "%p") || isDevice(t.Path) {
		return
	}
	launches := 0
	r, err := stats.LoadEach(t.Path, func(*stats.Launch) error { launches++; return nil })
	if err != nil {
		plain.Fprintf(w, "jacquard: there are no statistics: %v\n", err)
		return
	}
	plain.Fprintf(w, "jacquard: %s: %s of %s; jacquard stats sums them up\n", t.Path, counted(launches, "launch", "launches"), counted(len(r.Kernels), "kernel", "kernels"))
}
