package main_test

import (
	"flag"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var everyLimit = flag.Bool("limits", false, "try every small limit of memory and descriptors, not a few")

// A process with little room works, or gets an error with its reason: it is never ended by the
// runtime. The test always tries limits around the sizes at which the runtime used to end it.
func TestSmallLimits(t *testing.T) {
	if narrow() {
		t.Skip("a 32-bit process maps less memory")
	}
	exe := compile(t, "newstyle.c")
	limits := []string{"-n 4", "-n 5", "-n 6", "-n 7", "-n 8", "-n 9"}
	for v := 1_300_000; v <= 2_300_000; v += 100_000 {
		limits = append(limits, fmt.Sprintf("-v %d", v))
	}
	if *everyLimit {
		for n := 4; n <= 20; n++ {
			limits = append(limits, fmt.Sprintf("-n %d", n))
		}
		for v := 300_000; v <= 3_000_000; v += 20_000 {
			limits = append(limits, fmt.Sprintf("-v %d", v))
		}
	}
	refused := 0
	for _, limit := range limits {
		c := exec.Command("sh", "-c", "ulimit "+limit+` && exec "$@"`, "sh", exe, vecadd)
		c.Env = append(cleanEnvironment(), "LD_LIBRARY_PATH="+library(t))
		out, err := c.CombinedOutput()
		text := string(out)
		if err == nil {
			require.True(t, strings.HasSuffix(text, "PASSED\n"), "%s: %s", limit, text)
			continue
		}
		refused++
		require.NotContains(t, text, "goroutine", limit)
		require.NotContains(t, text, "runtime:", limit)
		require.Equal(t, 1, c.ProcessState.ExitCode(), "%s: %s", limit, text)
		require.True(t, strings.Contains(text, "(ulimit -n?)") || strings.Contains(text, "(ulimit -v?)"), "%s: %s", limit, text)
	}
	require.NotZero(t, refused)
	require.Less(t, refused, len(limits), "with some limits there is room")
}
