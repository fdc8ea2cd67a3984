package bench

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// Machine describes the host in one sentence.
func Machine() string {
	model := runtime.GOARCH
	info, _ := os.ReadFile("/proc/cpuinfo") // Linux only
	for line := range bytes.Lines(info) {
		if name, value, _ := bytes.Cut(line, []byte(":")); string(bytes.TrimSpace(name)) == "model name" {
			model = string(bytes.TrimSpace(value))
			break
		}
	}
	return fmt.Sprintf("%s, %d cores, %s, %s.", model, runtime.GOMAXPROCS(0), runtime.GOOS, runtime.Version())
}

// Workers returns the number of host cores for a setting: 0 means all.
func Workers(n int) int {
	if n == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}

// resetPeak resets the process's peak memory. Only Linux has the file; other hosts report no peak.
func resetPeak() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// peak returns the process's peak memory since resetPeak, 0 if the host does not report it.
func peak() uint64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	return peakOf(string(status))
}

// peakOf returns the bytes of the line VmHWM in a status file of Linux, 0 without one.
func peakOf(status string) uint64 {
	_, rest, _ := strings.Cut(status, "\nVmHWM:")
	var kb uint64
	fmt.Sscanf(rest, "%d kB", &kb)
	return kb << 10
}
