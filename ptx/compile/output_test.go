package compile_test

import (
	"encoding/binary"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/ptxreference"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/ptx/output"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// printedByReference returns what kernel k of a module prints and stores.
func printedByReference(t *testing.T, m *ptx.Module) (lines []string, stored []byte) {
	t.Helper()
	var p *ptxreference.Program
	var all []ptxreference.Printed
	p, err := ptxreference.Load(m, ptxreference.Config{Print: func(r ptxreference.Printed) { all = append(all, r) }})
	require.NoError(t, err)
	stored = runReference(t, p)
	for _, r := range all {
		lines = append(lines, string(output.Append(nil, r.Format, m.AddressBits/8, r.Args, func(at uint64) string {
			var s []byte
			for b := p.Memory().Bytes(at, 1); b != nil && b[0] != 0; b = p.Memory().Bytes(at, 1) {
				s, at = append(s, b[0]), at+1
			}
			return string(s)
		})))
	}
	return lines, stored
}

// printedByMachine is printedByReference for machine code.
func printedByMachine(t *testing.T, m *ptx.Module, arch tesla.Arch) (lines []string, stored []byte, err error) {
	t.Helper()
	im, err := compile.Compile(m, compile.Options{Arch: arch, Verify: true})
	require.NoError(t, err)
	launch, stored, variables := callsLaunch(t, im, "nvidia")
	_, err = simt.Run(launch)
	list, lost := output.Records(variables[output.Name].Bytes)
	require.Zero(t, lost)
	text := func(at uint64) string { return textAt(launch.Global, at) }
	for _, r := range list {
		lines = append(lines, string(output.Append(nil, text(uint64(r.Format)), m.AddressBits/8, r.Args, text)))
	}
	return lines, stored, err
}

func textAt(space *mem.Space, at uint64) string {
	b, err := space.Bytes(uint32(at), 1)
	for n := uint64(2); err == nil && b[len(b)-1] != 0; n++ {
		b, err = space.Bytes(uint32(at), n)
	}
	return output.Text(b)
}

// Kernels print the same in the reference and in the machine, in some order.
func TestPrintf(t *testing.T) {
	for _, name := range []string{"print0", "print2"} {
		text, err := os.ReadFile("testdata/output/" + name + ".ptx")
		require.NoError(t, err)
		want, stored := printedByReference(t, parseCalls(t, text))
		slices.Sort(want)
		require.Len(t, want, 81)
		for _, arch := range arches[1:] {
			got, result, err := printedByMachine(t, parseCalls(t, text), arch)
			require.NoError(t, err)
			slices.Sort(got)
			require.Equal(t, want, got)
			require.Equal(t, stored, result)
		}
		_, err = compile.Compile(parseCalls(t, text), compile.Options{Arch: tesla.SM10, Verify: true})
		require.ErrorContains(t, err, "printf needs atomic operations, which sm_10 lacks")
	}
}

const declarations = `
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.extern .func (.param .b64 p) malloc (.param .b64 n);
.extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);
.extern .func free (.param .b64 p);
.global .align 1 .b8 text[] = {37, 100, 10, 0};
.global .align 1 .b8 long[] = {37, 108, 100, 0};
.global .align 1 .b8 unknown[4];
`

const callPrintf = `
	{ .param .b64 pf; .param .b64 pa; .param .b32 pr;
	st.param.b64 [pf], %d1; st.param.b64 [pa], %d2;
	call (pr), vprintf, (pf, pa);
	ld.param.b32 %r0, [pr]; }`

// A format may wait in the stack while a function calls itself.
func TestPrintfOfRecursion(t *testing.T) {
	says := strings.ReplaceAll(`
.func (.reg .u32 r) says (.reg .u32 n)
{
	.reg .u64 %d<4>; .reg .u32 %a, %r0; .reg .pred %p; .local .align 8 .b8 args[8];
	mov.u64 %d1, text;
	cvta.global.u64 %d1, %d1;
	mov.u64 %d2, args;
	cvta.local.u64 %d2, %d2;
	st.local.u32 [args], n;
	CALL
	mov.u32 r, %r0;
	setp.eq.u32 %p, n, 0;
	@%p ret;
	sub.u32 %a, n, 1;
	call (%a), says, (%a);
	mad.lo.u32 r, %a, 3, r;
	add.u32 %a, n, 100;
	st.local.u32 [args], %a;
	CALL
	add.u32 r, r, %r0;
	ret;
}
`, "CALL", callPrintf)
	text := callsKernel(declarations+says, "call (%r0), says, (%n);")
	want, stored := printedByReference(t, parseCalls(t, text))
	slices.Sort(want)
	got, result, err := printedByMachine(t, parseCalls(t, text), tesla.SM13)
	require.NoError(t, err)
	slices.Sort(got)
	require.Equal(t, want, got)
	require.Equal(t, stored, result)
}

// A buffer takes a number of records. The rest is counted.
func TestPrintfWithoutRoom(t *testing.T) {
	m := parseCalls(t, callsKernel(declarations, `.local .align 8 .b8 args[8]; mov.u64 %d1, text;
	mov.u64 %d2, args; cvta.local.u64 %d2, %d2; st.local.u32 [args], %t; mov.u32 %r1, 0;
again:`+callPrintf+`
	add.u32 %r1, %r1, 1; setp.lt.u32 %p0, %r1, 1100; @%p0 bra again;`))
	im, err := compile.Compile(m, compile.Options{Arch: tesla.SM12, Verify: true})
	require.NoError(t, err)
	launch, _, variables := callsLaunch(t, im, "nvidia")
	_, err = simt.Run(launch)
	require.NoError(t, err)
	list, lost := output.Records(variables[output.Name].Bytes)
	require.Len(t, list, output.Room/16)
	require.Equal(t, 1100*callThreads, len(list)+lost)
	sum := 0
	for _, r := range list {
		sum += int(binary.LittleEndian.Uint32(r.Args))
	}
	require.Positive(t, sum)
}

func TestRefusedOutput(t *testing.T) {
	for body, want := range map[string]string{
		"mov.u64 %d1, %in; mov.u64 %d2, 0;" + callPrintf:                                             "calls:30:2: printf is supported for formats that the module contains, one at each call",
		"mov.u64 %d1, unknown; mov.u64 %d2, 0;" + callPrintf:                                         "calls:30:2: printf is supported",
		"mov.u64 %d1, text; @%p0 mov.u64 %d1, long; mov.u64 %d2, 0;" + callPrintf:                    "calls:30:2: printf is supported",
		"{ .param .b64 f, a; st.param.u64 [f], %d1; st.param.u64 [a], %d2;\ncall vprintf, (f, a); }": "calls:28:1: vprintf takes 2 arguments and gives 1 results",
		"{ .param .b64 n, p; st.param.u64 [n], 8;\ncall (p), malloc, (n); }":                         "calls:28:1: malloc is not supported: devices of this generation have no heap",
		"{ .param .b64 p; st.param.u64 [p], 0;\ncall free, (p); }":                                   "calls:28:1: free is not supported",
	} {
		m := parseCalls(t, callsKernel(declarations, body))
		_, err := compile.Compile(m, compile.Options{Arch: tesla.SM11, Verify: true})
		require.ErrorContains(t, err, want)
	}
}

// A failed assertion leaves a record and ends the launch; lanes for which it holds do not fail.
func TestAssert(t *testing.T) {
	m := parseCalls(t, callsKernel(declarations, `setp.lt.u32 %p0, %t, 40; @%p0 bra fine;
	{ .param .b64 m, f, n, s; .param .b32 l; mov.u64 %d1, text; mov.u64 %d2, long;
	st.param.b64 [m], %d1; st.param.b64 [f], %d2; st.param.b64 [n], %d2; st.param.b64 [s], 1;
	st.param.b32 [l], 12;
	call __assertfail, (m, f, l, n, s); }
fine:`))
	im, err := compile.Compile(m, compile.Options{Arch: tesla.SM12, Verify: true})
	require.NoError(t, err)
	launch, _, variables := callsLaunch(t, im, "nvidia")
	_, err = simt.Run(launch)
	var fault *simt.Fault
	require.ErrorAs(t, err, &fault)
	require.Equal(t, simt.FaultTrap, fault.Kind, fault.Error())
	list, _ := output.Records(variables[output.Name].Bytes)
	require.Len(t, list, 24)
	text := func(at uint64) string { return textAt(launch.Global, at) }
	require.Equal(t, "%ld:12: %ld: block: [0,0,0], thread: [40,0,0] Assertion `%d\n` failed.\n", list[0].Failure(text))
}
