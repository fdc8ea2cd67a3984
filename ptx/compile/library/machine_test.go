package library_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/ptx/compile/library"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

const (
	lanes   = 32
	perLane = 20
)

// byLane makes each lane of a warp begin at its own rows.
const byLane = `	.reg .u64 %offset;
	mov.u32 %t, %tid.x;
	mul.lo.u32 %t, %t, %n;
	mul.wide.u32 %offset, %t, 32;
	add.u64 %in, %in, %offset;
	mul.wide.u32 %offset, %t, 16;
	add.u64 %out, %out, %offset;
LOOP:
`

// TestMachine runs functions as machine code, in a warp whose lanes have different operands, and
// compares with the reference. If a function is named for an instruction, the test compiles the
// instruction, so that the compiler must find the function. It calls the other functions.
func TestMachine(t *testing.T) {
	instructions := 0
	for name, f := range functions() {
		if !alone(name) || implied(name) || len(f.Params) > 4 || len(f.Returns) > 2 {
			continue
		}
		m, isInstruction := compilable(t, name, f)
		if isInstruction {
			instructions++
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows := mixedRows(f)
			want := apply(t, kernels(), name, rows)
			for _, arch := range []tesla.Arch{tesla.SM10, tesla.SM13} {
				if suits(name, f, arch) {
					got := execute(t, m, arch, rows)
					compare(t, f, rows, got, func(i int) (result, bool) { return want[i], true })
				}
			}
		})
	}
	require.Greater(t, instructions, 150)
}

// suits reports whether an architecture uses a function: sm_13 has conversions of f32 to and from
// 64 bits, and all f64.
func suits(name string, f *ptx.Func, arch tesla.Arch) bool {
	all := slices.Concat(f.Params, f.Returns)
	double := slices.ContainsFunc(all, func(v *ptx.Var) bool { return v.Type == ptx.F64 })
	if strings.HasPrefix(name, "cvt_") && strings.Contains(name, "f32") {
		return arch == tesla.SM10
	}
	return arch == tesla.SM13 || !double && !strings.HasSuffix(name, "_sm13")
}

// compilable returns a module with a kernel for the instruction that a function is for, or for a
// call of the function.
func compilable(t *testing.T, name string, f *ptx.Func) (m *ptx.Module, isInstruction bool) {
	t.Helper()
	with := func(before string, use func(results, args []string) string) []byte {
		var b strings.Builder
		kernel(&b, name, f, use)
		return []byte(before + strings.Replace(b.String(), "LOOP:\n", byLane, 1))
	}
	m, err := ptx.Parse(name, with(".version 8.0\n.target sm_90\n.address_size 64\n",
		func(results, args []string) string {
			return instructionOf(name) + " " + strings.Join(append(results, args...), ", ") + ";"
		}))
	if err == nil {
		return m, true
	}
	m, err = ptx.Parse(name, with(library.Header+library.Text(), func(results, args []string) string {
		return callOf(name, results, args)
	}))
	require.NoError(t, err)
	return m, false
}

// instructionOf returns the operation and modifiers that a function is named after.
func instructionOf(name string) string {
	words := strings.Split(name, "_")
	last := len(words) - 1
	switch {
	case words[0] == "prmt" && last == 2:
		words[1], words[2] = words[2], words[1]
	case words[0] == "cvt" && strings.Contains(name, "f32"), name == "rcp_approx_f64":
		words = slices.Insert(words, 2, "ftz")
	case words[last] == "f32" && words[0] != "testp" && words[0] != "tanh":
		words = slices.Insert(words, last, "ftz")
	}
	return strings.Join(words, ".")
}

// mixedRows returns rows for a warp, special and random.
func mixedRows(f *ptx.Func) []row {
	g := newOperands(f)
	rows := make([]row, lanes*perLane)
	for i := range rows {
		rows[i] = g.row(len(g.special) + i)
		if i%2 == 0 {
			rows[i] = g.special[i*37%len(g.special)]
		}
	}
	return rows
}

// execute runs the kernel of a module in one warp.
func execute(t *testing.T, m *ptx.Module, arch tesla.Arch, rows []row) []result {
	t.Helper()
	image, err := compile.Compile(m, compile.Options{Arch: arch, Verify: true})
	require.NoError(t, err)
	k := &image.Kernels[0]
	p, err := load.Program(arch, k, simt.Host{})
	require.NoError(t, err)
	space := mem.NewSpace(1 << 24)
	inBytes, outBytes := rowBytes(rows), make([]byte, 16*len(rows))
	in, err := space.Map(inBytes)
	require.NoError(t, err)
	out, err := space.Map(outBytes)
	require.NoError(t, err)
	params := binary.LittleEndian.AppendUint64(nil, uint64(in))
	params = binary.LittleEndian.AppendUint64(params, uint64(out))
	params = binary.LittleEndian.AppendUint32(params, perLane)
	launch := &simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{lanes, 1, 1},
		Params: params, Global: space, Watchdog: 1 << 24, Workers: 1}
	load.Fill(&launch.Const, k.Segments)
	_, err = simt.Run(launch)
	require.NoError(t, err)
	return resultsIn(outBytes)
}
