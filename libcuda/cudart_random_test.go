package main_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
	"jacquard/internal/test/mutate"
)

// bump is a kernel that adds 1 to a variable.
const bump = `.version 1.4
.target sm_10
.global .u32 counter[4] = {10, 20, 30, 40};
.entry bump () {
	.reg .u32 %r<2>;
	mov.u32 %r0, counter;
	ld.global.u32 %r1, [%r0];
	add.u32 %r1, %r1, 1;
	st.global.u32 [%r0], %r1;
	exit;
}
`

// TestCudartDamage registers damaged code of each container. Every call must answer, and the library
// works afterwards.
func TestCudartDamage(t *testing.T) {
	text, err := os.ReadFile("driver/testdata/variables.cubin")
	require.NoError(t, err)
	img, err := cubin.Parse(text)
	require.NoError(t, err)
	ptx := func(c cubin.Compression) cubintest.Entry {
		return cubintest.Entry{Container: cubin.PTX, Arch: 10, Compression: c, Data: []byte(bump)}
	}
	elf := cubintest.Entry{Container: cubin.ELF, Arch: 10, Data: cubintest.ELF{Wide: true}.Write(img)}
	seeds := [][]byte{
		cubintest.Flat(cubintest.CUDA4, ptx(cubin.Stored)), cubintest.Flat(cubintest.CUDA5, ptx(cubin.Zlib)),
		cubintest.Flat(cubintest.CUDA5, ptx(cubin.LZ4)), cubintest.Flat(cubintest.CUDA5, elf, ptx(cubin.Stored)),
		append([]byte(bump), 0), append(text, 0),
	}
	var pieces []byte
	mutate.Run(t, "FuzzCudartDamage", seeds, mutate.Bytes, func(damaged []byte) {
		pieces = binary.LittleEndian.AppendUint32(pieces, uint32(len(damaged)))
		pieces = append(pieces, damaged...)
	})
	file := filepath.Join(t.TempDir(), "pieces")
	require.NoError(t, os.WriteFile(file, pieces, 0o666))
	for _, c := range []cudart{cudarts[1], cudarts[3]} { // with contexts of threads, and of devices
		t.Run(c.version, func(t *testing.T) {
			stdout, stderr, err := run(t, append(c.environment(t), "JACQUARD_WATCHDOG=20000"), c.compile(t, "runtime_damaged.c"), file)
			require.NoError(t, err, "%s%s", stdout, stderr)
			require.Equal(t, "PASSED\n", stdout)
			require.NotContains(t, stderr, "internal error")
		})
	}
}

// TestCudartHammer has eight threads call everything at once.
func TestCudartHammer(t *testing.T) {
	forCudarts(t, func(t *testing.T, c cudart) {
		stderr := c.requirePassed(t, c.compile(t, "runtime_hammer.c"), "30")
		require.NotContains(t, stderr, "internal error")
	})
}

// TestCudartRandom calls random functions. Each must answer an error that has a name.
func TestCudartRandom(t *testing.T) {
	if narrow() {
		t.Skip("the program is of release 10, of which there is no 32-bit library")
	}
	c := cudarts[len(cudarts)-1]
	exe := c.compile(t, "runtime_random.c")
	for _, args := range [][]string{{"1", "1", "5000"}, {"2", "1", "5000"}, {"10", "8", "2000"}} { // seed, threads, calls
		stdout, stderr, err := run(t, append(c.environment(t), "JACQUARD_WATCHDOG=20000"), exe, args...)
		require.NoError(t, err, "%s%s", stdout, stderr)
		require.Equal(t, "PASSED\n", stdout)
		require.NotContains(t, stderr, "internal error")
	}
}
