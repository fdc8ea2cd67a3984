package headers

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var every = flag.Int("every", 11, "run one of so many generated locks")

// shapes are loops around a critical section. ACQUIRE is true for the lane that got the lock; HELD is
// the section and gives the lock back. Each adds ROUNDS to the count.
var shapes = []struct {
	text   string
	rounds int
}{
	{"bool done = false; while (!done) { if (ACQUIRE) { HELD done = true; } }", 1},
	{"while (true) { if (ACQUIRE) { HELD break; } }", 1},
	{"for (;;) { if (!(ACQUIRE)) continue; HELD break; }", 1},
	{"bool got; do { if ((got = ACQUIRE)) { HELD } } while (!got);", 1},
	{"for (bool done = false; !done;) if (ACQUIRE) { HELD done = true; }", 1},
	{"for (;;) if (ACQUIRE) { HELD return; }", 1},
	{"for (int i = 0; i < 1000000; i++) { if (ACQUIRE) { HELD break; } }", 1},
	{"while (true) { if (ACQUIRE) { HELD goto out; } } out: ;", 1},
	{"for (int i = 0; i < 2; i++) { bool done = false; while (!done) if (ACQUIRE) { HELD done = true; } }", 2},
	{"int left = 3; while (left) { if (ACQUIRE) { HELD left--; } }", 3},
	{"if (t % 3) { int state = 0; while (state != 1) { if (ACQUIRE) { HELD state = 1; } } } else { while (true) if (ACQUIRE) { HELD break; } }", 1},
	{"for (int i = 0;; i++) { while (true) { if (ACQUIRE) { HELD if (i == 1) return; break; } } }", 2},
	{"int n = 0; do { bool ok = ACQUIRE; if (ok) { HELD n++; } if (n == 2) break; } while (true);", 2},
	{"switch (t % 2) { case 0: while (true) if (ACQUIRE) { HELD break; } break; default: for (bool b = true; b;) if (ACQUIRE) { HELD b = false; } }", 1},
}

// pairs are ways to take a lock and to give it back. LOCK is the lock's address. The last two take
// tickets before the loop, so they do for loops of one round, in one place.
var pairs = []struct {
	kind, before, acquire, release string
}{
	{"int", "", "atomicCAS(LOCK, 0, 1) == 0", "atomicExch(LOCK, 0);"},
	{"int", "", "!atomicExch(LOCK, 1)", "*(volatile int *)LOCK = 0;"},
	{"unsigned", "", "atomicCAS(LOCK, 0u, t + 1u) == 0", "atomicCAS(LOCK, t + 1u, 0u);"},
	{"unsigned", "", "(atomicOr(LOCK, 4u) & 4) == 0", "atomicAnd(LOCK, ~4u);"},
	{"unsigned", "", "atomicInc(LOCK, 1u << 30) == 0", "atomicExch(LOCK, 0u);"},
	{"int", "", "atomicMax(LOCK, 1) < 1", "atomicMin(LOCK, 0);"},
	{"int", "int mine = atomicAdd(LOCK + 1, 1);", "atomicAdd(LOCK, 0) == mine", "atomicAdd(LOCK, 1);"},
	{"int", "int mine = atomicAdd(LOCK + 1, 1);", "*(volatile int *)LOCK == mine", "*(volatile int *)LOCK = mine + 1;"},
}

// bodies are the bodies of sections. COUNT is the address of the count.
var bodies = []string{
	"*(volatile int *)COUNT += 1;",
	"if (t & 1) *(volatile int *)COUNT += 1; else *(volatile int *)COUNT += 1;",
	"int old = *(volatile int *)COUNT; for (int j = 0; j < t % 4; j++) old += j; for (int j = 0; j < t % 4; j++) old -= j; *(volatile int *)COUNT = old + 1;",
}

const prologue = `#include <cstdio>
struct Idiom { const char *text; void (*kernel)(int *); int want; };
`

const epilogue = `
int main() {
	int bad = 0;
	for (Idiom &i : idioms) {
		int *d, h[4];
		cudaMalloc(&d, sizeof h);
		cudaMemset(d, 0, sizeof h);
		i.kernel<<<2, 64>>>(d);
		cudaError_t e = cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
		if (e || h[2] != i.want) printf("%d of %d, %s: %s\n", h[2], i.want, cudaGetErrorString(e), i.text), bad++;
		cudaDeviceReset();
	}
	puts(bad ? "FAILED" : "PASSED");
}
`

// generated returns a program with one of every n combinations, and how many it has.
func generated(n int) (program string, count int) {
	var kernels, table strings.Builder
	at := 0
	for _, shape := range shapes {
		for _, pair := range pairs {
			if pair.before != "" && (shape.rounds > 1 || strings.Contains(shape.text, "t %")) {
				continue // lanes of one side would wait for tickets of the other
			}
			for _, body := range bodies {
				for _, shared := range []bool{false, true} {
					if at++; at%n == 0 {
						text := kernel(shape.text, pair.before, pair.acquire, pair.release, body, at%2 == 0)
						fmt.Fprintf(&kernels, "__device__ void work%d(%s *lock, int *count) { int t = threadIdx.x; %s }\n", at, pair.kind, text)
						fmt.Fprintf(&kernels, launched[shared], at, pair.kind)
						fmt.Fprintf(&table, "\t{%q, k%d, %d},\n", text, at, 128*shape.rounds)
						count++
					}
				}
			}
		}
	}
	return prologue + kernels.String() + "Idiom idioms[] = {\n" + table.String() + "};\n" + epilogue, count
}

// launched are kernels whose lock and count are in global or in shared memory.
var launched = map[bool]string{
	false: "__global__ void k%[1]d(int *out) { work%[1]d((%[2]s *)out, out + 2); }\n",
	true: "__global__ void k%[1]d(int *out) { __shared__ %[2]s lock[2]; __shared__ int count; lock[0] = lock[1] = count = 0; __syncthreads(); " +
		"work%[1]d(lock, &count); __syncthreads(); if (threadIdx.x == 0) atomicAdd(out + 2, count); }\n",
}

// kernel returns the text of one combination.
func kernel(shape, before, acquire, release, body string, fence bool) string {
	fenced := map[bool]string{false: "", true: "__threadfence();"}[fence]
	text := before + " " + strings.NewReplacer("ACQUIRE", acquire, "HELD", body+" "+fenced+" "+release).Replace(shape)
	return strings.NewReplacer("LOCK", "lock", "COUNT", "count").Replace(text)
}

// TestGeneratedLocks runs critical sections of all combinations.
func TestGeneratedLocks(t *testing.T) {
	text, count := generated(*every)
	require.Greater(t, count, 10)
	file := filepath.Join(t.TempDir(), "generated.cu")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	for _, set := range []string{"", "-G", "-arch=sm_35"} {
		require.Equal(t, "PASSED\n", run(t, file, strings.Fields(set)...), set)
	}
}
