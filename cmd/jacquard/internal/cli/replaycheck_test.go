package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// exchange has each warp read what the other wrote, and no barrier between the two.
const exchange = `.module sm_13
.kernel exchange registers=4 shared=0x120
	and b32 $r0 $r0 0xffff
	shl b32 $r1 $r0 0x2
	shl $a1 $r1 0x0
	st b32 s[$a1+0x20] $r0
	xor b32 $r2 $r1 0x80
	shl $a1 $r2 0x0
	mov b32 $r2 b32 s[$a1+0x20]
	mov b32 $r3 b32 s[0x10]
	add b32 $r3 $r3 $r1
	st b32 g14[$r3] $r2
	exit (never) nop
`

// A replay finds the mistakes of recorded kernels.
func TestReplayChecks(t *testing.T) {
	dir := t.TempDir()
	text, code, path := filepath.Join(dir, "k.s"), filepath.Join(dir, "k.cubin"), filepath.Join(dir, "k.jqb")
	require.NoError(t, os.WriteFile(text, []byte(exchange), 0o666))
	fine(t, "asm", "-o", code, text)
	fine(t, "run", code, "--block", "64", "--arg", "buf:256", "--record", path)
	a := jacquard("replay", "--check", "all", path)
	require.Equal(t, 3, a.status)
	require.Equal(t, "1 launch: 1 identical, 0 different\n", a.out)
	require.Contains(t, a.err, "error: race read-write shared, 64 times: ")
	require.Contains(t, a.err, "0x30: mov b32 $r2 b32 s[$a1+0x20]\n    by block (0,0), thread 0 ")
	require.Contains(t, a.err, "1 error; checked: memory, race, init, sync\n")
	a = jacquard("replay", "--check", "memory,sync", path)
	require.Zero(t, a.status)
	require.Contains(t, a.err, "no mistakes found; checked: memory, sync\n")

	a = jacquard("replay", "--check", "leak", path)
	require.Equal(t, 2, a.status)
	require.Contains(t, a.err, "--check leak: a bundle has no calls of the host: want memory,race,init,sync, or all")
	a = jacquard("replay", "--check", "race", "--against", "x", path)
	require.Equal(t, 2, a.status)
	require.Contains(t, a.err, "--check")
}

// Accesses are explained by the memory of the launch, where it lay when it was recorded.
func TestReplayChecksMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v.jqb")
	a := jacquard("run", filepath.Join(root, "testdata/demo/vectoradd.cubin"), "--record", path, "--memory", "exact", "--block", "64",
		"--arg", "buf:256", "--arg", "buf:256", "--arg", "buf:40", "--arg", "u32:64")
	require.Equal(t, 1, a.status)
	a = jacquard("replay", "--check", "memory", path)
	require.Contains(t, a.err, "error: memory out-of-bounds global, 22 times: an access of 4 bytes to ")
	require.Contains(t, a.err, ", 4 bytes beyond the end of the 40 bytes at ")
}
