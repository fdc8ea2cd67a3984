package bench

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// Machine says in a sentence where figures were taken.
func Machine() string {
	model := runtime.GOARCH
	info, _ := os.ReadFile("/proc/cpuinfo") // Linux alone has it
	for line := range bytes.Lines(info) {
		if name, value, _ := bytes.Cut(line, []byte(":")); string(bytes.TrimSpace(name)) == "model name" {
			model = string(bytes.TrimSpace(value))
			break
		}
	}
	return fmt.Sprintf("%s, %d cores, %s, %s.", model, runtime.GOMAXPROCS(0), runtime.GOOS, runtime.Version())
}

// Workers returns the number of host cores that a setting means: 0 is all there are.
func Workers(n int) int {
	if n == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}

// resetPeak forgets what memory the process has taken. Linux alone has the file; elsewhere
// there is no peak either.
func resetPeak() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// peak returns the most memory the process took since, 0 if the host does not tell.
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
