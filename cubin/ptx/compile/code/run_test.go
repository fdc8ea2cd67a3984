package code_test

import (
	"encoding/binary"
	"testing"

	"jacquard/cubin/ptx/compile/code"
	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/mem"

	"github.com/stretchr/testify/require"
)

const threads = 64

// expected evaluates every thread and returns the memory that they leave.
func expected(t *testing.T, f *code.Func, at uint32) []byte {
	t.Helper()
	out := make([]byte, threads*slotBytes)
	for i := range threads {
		th := &thread{f: f, words: make([]uint32, len(f.Regs)), memory: map[uint32]uint32{}}
		th.shared = []uint32{0, 0, 0, 0, at, 0, 0, 0}
		for r := range f.Regs {
			if f.Regs[r].Fixed != 0 {
				th.words[r] = uint32(i)
			}
		}
		require.NoError(t, th.run())
		for a, v := range th.memory {
			binary.LittleEndian.PutUint32(out[a-at:], v)
		}
	}
	return out
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

// check compiles a function and compares what it does under some policies with its evaluation.
func check(t *testing.T, f *code.Func, policies ...string) (*code.Result, *simt.Stats) {
	t.Helper()
	space := mem.NewSpace(1 << 20)
	at, err := space.Alloc(threads * slotBytes)
	require.NoError(t, err)
	before := f.String()
	want := expected(t, f, at)
	r, err := code.Compile(f)
	require.NoError(t, err, "%s", before)
	var first *simt.Stats
	for _, policy := range policies {
		got, st, err := run(f, r, policy, space, at)
		require.NoError(t, err, "policy %s\n%s\n%s", policy, before, f)
		for i := 0; i < len(got); i += 4 {
			if g, w := binary.LittleEndian.Uint32(got[i:]), binary.LittleEndian.Uint32(want[i:]); g != w {
				require.Equal(t, w, g, "policy %s, thread %d, byte %d\n%s\n%s", policy, i/slotBytes, i%slotBytes, before, f)
			}
		}
		if first == nil {
			first = st
		}
	}
	return r, first
}
