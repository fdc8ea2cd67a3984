package code_test

import (
	"encoding/binary"
	"os"
	"strconv"
	"testing"

	"jacquard/decoder"
	"jacquard/ptx/compile/code"
	"jacquard/simt"
	"jacquard/simt/mem"

	"github.com/stretchr/testify/require"
)

const threads = 64

// seeds returns the number of random functions to try: JACQUARD_SEEDS or a default.
func seeds(n int) int {
	if s, err := strconv.Atoi(os.Getenv("JACQUARD_SEEDS")); err == nil {
		return s
	}
	return n
}

// evaluate evaluates every thread and returns the memory that they leave.
func evaluate(f *code.Func, at uint32) ([]byte, error) {
	out := make([]byte, threads*slotBytes)
	for i := range threads {
		th := &thread{f: f, words: make([]uint32, len(f.Regs)), memory: map[uint32]uint32{}}
		th.shared = []uint32{0, 0, 0, 0, at, 0, 0, 0}
		for r := range f.Regs {
			if f.Regs[r].Fixed != 0 {
				th.words[r] = uint32(i)
			}
		}
		if err := th.run(); err != nil {
			return nil, err
		}
		for a, v := range th.memory {
			binary.LittleEndian.PutUint32(out[a-at:], v)
		}
	}
	return out, nil
}

// run runs machine code and returns the memory that its threads leave.
func run(f *code.Func, r *code.Result, policy string, space *mem.Space, at uint32) ([]byte, *simt.Stats, error) {
	p, err := simt.Lower(simt.Kernel{
		Name: f.Name, Arch: f.Arch, Code: decoder.Kernel(f.Arch, r.Words),
		Registers: r.Registers, Shared: 0x40, Local: r.Local,
	})
	if err != nil {
		return nil, nil, err
	}
	bytes, err := space.Bytes(at, threads*slotBytes)
	if err != nil {
		return nil, nil, err
	}
	clear(bytes)
	l := &simt.Launch{
		Program: p, Grid: [2]int{1, 1}, Block: [3]int{threads, 1, 1}, Workers: 1,
		Params: binary.LittleEndian.AppendUint32(nil, at), Global: space,
		Policy: policy, Watchdog: 1 << 22,
	}
	for _, w := range r.Literals {
		l.Const[1] = binary.LittleEndian.AppendUint32(l.Const[1], w)
	}
	st, err := simt.Run(l)
	if err != nil {
		return nil, nil, err
	}
	bytes, err = space.Bytes(at, threads*slotBytes)
	return bytes, st, err
}

// check compiles a function and compares its results under some policies with its evaluation. It
// shows a failing function as small as it can make it.
func check(t *testing.T, f *code.Func, policies ...string) (*code.Result, *simt.Stats) {
	t.Helper()
	require.NoError(t, code.Verify(f))
	if err := failure(f, policies...); err != nil {
		f = shrink(f, policies...)
		before := f.String()
		err = failure(f, policies...)
		_, _ = code.Compile(f)
		require.NoError(t, err, "%s\n%s", before, f)
	}
	space := mem.NewSpace(1 << 20)
	at, err := space.Alloc(threads * slotBytes)
	require.NoError(t, err)
	r, err := code.Compile(f)
	require.NoError(t, err)
	_, st, err := run(f, r, policies[0], space, at)
	require.NoError(t, err)
	return r, st
}
