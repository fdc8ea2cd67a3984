package bench

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
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
