package cli

import (
	"io"
	"path/filepath"
	"strings"

	"jacquard/cubin/plain"
	"jacquard/libcuda/driver/knobs"
	"jacquard/simt/trace"
)

// tracePath returns the trace knob's value with an absolute path, because a program may change its
// folder; "" if there is none.
func tracePath(s knobs.Settings) (string, error) {
	if s.Trace == "" {
		return "", nil
	}
	return filepath.Abs(s.Trace)
}

// reportTrace says what the trace of a run that ended holds, if there was one. A trace for each process
// is not looked at, nor what is no file.
func reportTrace(w io.Writer, knob string) {
	path, _, err := trace.ParsePath(knob)
	if knob == "" || err != nil || strings.Contains(path, "%p") {
		return
	}
	if isDevice(path) {
		return
	}
	f, err := trace.Open(path)
	if err != nil {
		plain.Fprintf(w, "jacquard: there is no trace: %v\n", err)
		return
	}
	defer f.Close()
	var count uint64
	for _, l := range f.Launches {
		count += l.Count
	}
	plain.Fprintf(w, "jacquard: %s: %d warp-instructions of %s; jacquard trace show prints them\n", path, count, counted(len(f.Launches), "launch", "launches"))
}
