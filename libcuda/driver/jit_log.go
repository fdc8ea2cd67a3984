package driver

import (
	"fmt"
	"math"
	"strings"
	"time"

	"jacquard/ptx/jit"
)

// jitLog collects the messages of a call, or of all calls of a linker, to the program.
type jitLog struct {
	to           *JITOptions
	info, errors []string
	spent        time.Duration // in the compiler
	threads      uint32        // of a block; 0 if not given
	verbose      bool
}

// compiled notes that code was made, and the time it took.
func (l *jitLog) compiled(code *jit.Code, spent time.Duration) {
	l.spent += spent
	how := fmt.Sprintf("compiled in %.1f ms", milliseconds(spent))
	if code.Cached {
		how = "taken from the cache"
	}
	if l.verbose {
		l.info = append(l.info, fmt.Sprintf("PTX for compute_%d, %s for %s", code.Virtual, how, code.Image.Arch))
	}
	l.info = append(l.info, jit.Report(code.Image)...)
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// answer writes the logs to the program's buffers, and stores the results of options. Logs that do
// not fit are cut off; a NUL ends them in any case. The sizes do not count it.
func (l *jitLog) answer() {
	o := l.to
	sizes := [2]int{fillLog(o.InfoLog, l.info), fillLog(o.ErrorLog, l.errors)}
	if o.Answer == nil {
		return
	}
	o.Answer(JITInfoLogBufferSizeBytes, uintptr(sizes[0]))
	o.Answer(JITErrorLogBufferSizeBytes, uintptr(sizes[1]))
	o.Answer(JITWallTime, uintptr(math.Float32bits(float32(milliseconds(l.spent)))))
	if l.threads != 0 {
		o.Answer(JITThreadsPerBlock, uintptr(l.threads))
	}
}

// fillLog puts lines and a NUL into a buffer, and returns the bytes before the NUL.
func fillLog(buffer []byte, lines []string) int {
	if len(buffer) == 0 {
		return 0
	}
	n := copy(buffer[:len(buffer)-1], strings.Join(lines, "\n"))
	buffer[n] = 0
	return n
}
