package library_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/ptxreference"
	"jacquard/ptx"
	"jacquard/ptx/compile/library"
	"jacquard/sfu"
)

// unit is Tesla's special function unit.
type unit struct{ ptxreference.Accurate }

func (unit) Rcp(x uint32) uint32   { return sfu.Rcp(x) }
func (unit) Rsqrt(x uint32) uint32 { return sfu.Rsqrt(x) }
func (unit) Sqrt(x uint32) uint32  { return sfu.Rcp(sfu.Rsqrt(x)) }
func (unit) Ex2(x uint32) uint32   { return sfu.Ex2(sfu.PreEx2(x)) }
func (unit) Lg2(x uint32) uint32   { return sfu.Lg2(x) }
func (unit) Sin(x uint32) uint32   { return sfu.Sin(sfu.PreSin(x)) }
func (unit) Cos(x uint32) uint32   { return sfu.Cos(sfu.PreSin(x)) }

// randomOperands returns how many random operands a function gets: 20,000, 5,000 with -short, or
// what LIBRARY_OPERANDS says.
func randomOperands() int {
	if n, err := strconv.Atoi(os.Getenv("LIBRARY_OPERANDS")); err == nil {
		return n
	}
	if testing.Short() {
		return 5_000
	}
	return 20_000
}

// tested are the operands that each function was tested with, for the table.
var tested sync.Map

// functions returns the library's functions by name.
var functions = sync.OnceValue(func() map[string]*ptx.Func {
	all := map[string]*ptx.Func{}
	for _, name := range library.Names() {
		all[name] = library.Func(name)
	}
	return all
})

// kernels is the library with a kernel for each function, which applies it to n rows of operands:
// 32 bytes each, 8 for an operand. Results go to rows of 16 bytes.
var kernels = sync.OnceValue(func() *ptx.Module {
	var b strings.Builder
	b.WriteString(library.Header + library.Text())
	for name, f := range functions() {
		if alone(name) && !implied(name) {
			kernel(&b, name, f, func(results, args []string) string {
				return callOf(name, results, args)
			})
		}
	}
	m, err := ptx.Parse("kernels", []byte(b.String()))
	if err != nil {
		panic(err)
	}
	return m
})

func callOf(name string, results, args []string) string {
	return fmt.Sprintf("call (%s), %s, (%s);", strings.Join(results, ", "), name,
		strings.Join(args, ", "))
}

func atomic(name string) bool {
	return strings.HasPrefix(name, "atom_") || strings.HasPrefix(name, "output_")
}

// alone reports whether a function depends on nothing but its operands. The others have tests of
// their own: atomic operations here, functions of several lanes and copies in package compile.
func alone(name string) bool {
	return !atomic(name) && !ofLanes()[name] && !strings.HasPrefix(name, "cp_async_")
}

// ofLanes returns the functions that look at other lanes.
var ofLanes = sync.OnceValue(func() map[string]bool {
	b, err := library.Files.ReadFile("lanes.ptx")
	if err != nil {
		panic(err)
	}
	var text strings.Builder
	library.Expand(&text, strings.SplitAfter(string(b), "\n"))
	all := map[string]bool{}
	for name := range functions() {
		all[name] = strings.Contains(text.String(), " "+name+" (")
	}
	return all
})

// implied reports whether a function has the body of another one.
func implied(name string) bool {
	return library.Others[name] != "" || strings.HasPrefix(name, "mad_") || strings.Contains(name, "__") ||
		strings.Contains(name, "_shared_")
}

// kernel writes a kernel for a function, or for an instruction with its operands.
func kernel(b *strings.Builder, name string, f *ptx.Func, use func(results, args []string) string) {
	fmt.Fprintf(b, ".entry test_%s (.param .u64 in, .param .u64 out, .param .u32 n)\n{\n", name)
	b.WriteString("\t.reg .u64 %in, %out;\n\t.reg .u32 %n, %t;\n\t.reg .pred %more;\n")
	b.WriteString("\tld.param.u64 %in, [in];\n\tld.param.u64 %out, [out];\n")
	b.WriteString("\tld.param.u32 %n, [n];\nLOOP:\n")
	var args, results []string
	for i, p := range f.Params {
		r := fmt.Sprintf("%%a%d", i)
		args = append(args, r)
		fmt.Fprintf(b, "\t.reg .%v %s;\n", p.Type, r)
		if p.Type == ptx.Pred {
			fmt.Fprintf(b, "\tld.global.u32 %%t, [%%in+%d];\n\tsetp.ne.u32 %s, %%t, 0;\n", 8*i, r)
			continue
		}
		fmt.Fprintf(b, "\tld.global.%v %s, [%%in+%d];\n", p.Type, r, 8*i)
	}
	for i, p := range f.Returns {
		r := fmt.Sprintf("%%r%d", i)
		results = append(results, r)
		fmt.Fprintf(b, "\t.reg .%v %s;\n", p.Type, r)
	}
	fmt.Fprintf(b, "\t%s\n", use(results, args))
	for i, p := range f.Returns {
		if p.Type == ptx.Pred {
			fmt.Fprintf(b, "\tselp.u32 %%t, 1, 0, %s;\n", results[i])
			fmt.Fprintf(b, "\tst.global.u32 [%%out+%d], %%t;\n", 8*i)
			continue
		}
		fmt.Fprintf(b, "\tst.global.%v [%%out+%d], %s;\n", p.Type, 8*i, results[i])
	}
	b.WriteString("\tadd.u64 %in, %in, 32;\n\tadd.u64 %out, %out, 16;\n\tsub.u32 %n, %n, 1;\n")
	b.WriteString("\tsetp.ne.u32 %more, %n, 0;\n\t@%more bra LOOP;\n\tret;\n}\n")
}

// row are the operands of one use of a function.
type row [4]uint64

// result is the result of a use of a function.
type result [2]uint64

// apply runs the kernel for a function on rows of operands.
func apply(t *testing.T, m *ptx.Module, name string, rows []row) []result {
	t.Helper()
	p, err := ptxreference.Load(m, ptxreference.Config{Approx: unit{}})
	require.NoError(t, err)
	in, inBytes, err := p.Memory().Alloc(32 * len(rows))
	require.NoError(t, err)
	out, outBytes, err := p.Memory().Alloc(16 * len(rows))
	require.NoError(t, err)
	copy(inBytes, rowBytes(rows))
	params := binary.LittleEndian.AppendUint64(nil, in)
	params = binary.LittleEndian.AppendUint64(params, out)
	params = binary.LittleEndian.AppendUint32(params, uint32(len(rows)))
	err = p.Run("test_"+name, ptxreference.Launch{Params: params, Alone: true, StepLimit: 1 << 50})
	require.NoError(t, err)
	return resultsIn(outBytes)
}

// rowBytes returns rows as a kernel reads them.
func rowBytes(rows []row) (b []byte) {
	b = make([]byte, 0, 32*len(rows))
	for _, r := range rows {
		for _, x := range r {
			b = binary.LittleEndian.AppendUint64(b, x)
		}
	}
	return b
}

// resultsIn returns the results that a kernel wrote.
func resultsIn(b []byte) []result {
	results := make([]result, len(b)/16)
	for i := range results {
		for k := range results[i] {
			results[i][k] = binary.LittleEndian.Uint64(b[16*i+8*k:])
		}
	}
	return results
}

// check compares a function with what its results should be, on special and random operands. The
// truth may refuse operands that PTX leaves open.
func check(t *testing.T, name string, want func(r row) (result, bool)) {
	t.Helper()
	checkRows(t, name, func(rows []row) func(i int) (result, bool) {
		return func(i int) (result, bool) { return want(rows[i]) }
	})
}

// checkRows is check for a truth about many rows at once.
func checkRows(t *testing.T, name string, want func(rows []row) func(i int) (result, bool)) {
	t.Helper()
	f := functions()[name]
	require.NotNil(t, f, "no function %s", name)
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		const most = 1 << 16
		g := newOperands(f)
		total := 0
		for n := len(g.special) + randomOperands(); total < n; {
			rows := make([]row, 0, most)
			for len(rows) < min(most, n-total) {
				rows = append(rows, g.row(total+len(rows)))
			}
			total += len(rows)
			compare(t, f, rows, apply(t, kernels(), name, rows), want(rows))
		}
		tested.Store(name, total)
	})
}

func compare(t *testing.T, f *ptx.Func, rows []row, got []result, want func(i int) (result, bool)) {
	t.Helper()
	for i, r := range rows {
		w, ok := want(i)
		if !ok {
			continue
		}
		for k, v := range f.Returns {
			mask := ^uint64(0) >> (64 - max(v.Type.Bits(), 8))
			if (got[i][k]^w[k])&mask != 0 {
				t.Fatalf("%s(%#x): result %d is %#x instead of %#x", f.Name, r[:len(f.Params)], k,
					got[i][k]&mask, w[k]&mask)
			}
		}
	}
}

// one makes a truth of a function without exceptions.
func one(want func(r row) uint64) func(r row) (result, bool) {
	return func(r row) (result, bool) { return result{want(r)}, true }
}
