package ptxreference

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/ptx"
)

// seeds are texts with most kinds of instructions.
func seeds() []string {
	list := []string{
		kernel(modern, functions, "call (%r0), old, (%r1, 7); bar.sync 0; vote.ballot.b32 %r2, %p0;"),
		kernel(modern, ".shared .u32 s[4];\n.const .u32 c = 1;\n.global .u32 g = 2;", `
	.local .align 16 .b8 l[32];
	st.local.v2.u32 [l], {%r1, %r0};
	atom.shared.add.u32 %r0, [s], %r1;
	red.global.max.u32 [g], 5;
	mov.b64 {%r2, %r3}, %d1;
	setp.lt.and.f32 %p1|%p2, %f1, 0f3F800000, !%p0;
	selp.f32 %f2, %f1, %f0, %p1;
	fma.rn.ftz.sat.f32 %f3, %f1, %f2, %f3;
	cvt.rzi.s32.f32 %r4, %f3;
	shfl.sync.up.b32 %r5|%p3, %r4, 1, 0, -1;
	bar.red.popc.u32 %r6, 1, 64, %p3;
	add.cc.u32 %r7, %r1, %r2;
	addc.u32 %r8, %r1, %r2;
	prmt.b32 %r9, %r1, %r2, %r3;
	lop3.b32 %r10, %r1, %r2, %r3, 0x96;
	bfi.b32 %r11, %r1, %r2, 3, 5;
	slct.s32.f32 %r12, %r1, %r2, %f1;
targets: .branchtargets one, two;
	@%p1 brx.idx %r1, targets;
one:
	redux.sync.add.s32 %r13, %r1, -1;
two:
	cvta.shared.u64 %d2, %d3;
	isspacep.shared %p4, %d2;`),
		kernel(tesla, ".tex .u32 t;", "tex.1d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [t, {%f4}]; mad.f32 %f0, %f1, %f2, %f3;"),
		kernel(".version 1.4\n.target sm_10, map_f64_to_f32\n", "", ".reg .f64 %g<4>; add.f64 %g0, %g1, 0d3FF0000000000000; div.rn.f64 %g0, %g1, %g2;"),
	}
	return list
}

// attempt runs the kernels of a module; only errors of type *Error may come out.
func attempt(t *testing.T, m *ptx.Module) {
	var e *Error
	p, err := Load(m, Config{Texture: func(Sample) (x [4]uint64, err error) { return x, nil }})
	if err != nil {
		require.True(t, errors.As(err, &e), "%v", err)
		return
	}
	for name := range p.bodies {
		for _, alone := range []bool{false, true} {
			err := p.Run(name, Launch{Block: [3]int{40}, Params: make([]byte, 1024), StepLimit: 3000, Alone: alone})
			if err != nil {
				require.True(t, errors.As(err, &e), "%v", err)
			}
		}
	}
}

// Modules that no parser would make are errors, not panics.
func TestBrokenModules(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	texts := seeds()
	for i := range 3000 {
		m, err := ptx.Parse("", []byte(texts[i%len(texts)]))
		require.NoError(t, err)
		var all []*ptx.Instr
		for _, item := range m.Items {
			if f, ok := item.(*ptx.Func); ok {
				for _, s := range f.Body {
					if in, ok := s.(*ptx.Instr); ok {
						all = append(all, in)
					}
				}
			}
		}
		for range 1 + r.IntN(3) {
			damage(r, all[r.IntN(len(all))], all[r.IntN(len(all))])
		}
		attempt(t, m)
	}
}

// damage changes an instruction at random, with parts of another.
func damage(r *rand.Rand, in, other *ptx.Instr) {
	in.Args = append([]ptx.Operand(nil), in.Args...)
	switch r.IntN(9) {
	case 0:
		in.Op = ptx.Op(r.IntN(110))
	case 1:
		in.Type = ptx.Type(r.IntN(30))
	case 2:
		in.From = ptx.Type(r.IntN(30))
	case 3:
		in.Mods ^= 1 << r.IntN(32)
	case 4:
		in.Mode, in.Atom = ptx.Mode(r.IntN(40)), ptx.AtomOp(r.IntN(12))
	case 5:
		in.Space, in.Vector = ptx.Space(r.IntN(10)), r.IntN(7)-1
	case 6:
		in.Args = in.Args[:r.IntN(len(in.Args)+1)]
	case 7:
		in.Args = append(in.Args, other.Args...)
	case 8:
		if len(in.Args) > 0 && len(other.Args) > 0 {
			o := other.Args[r.IntN(len(other.Args))]
			o.Part, o.Not, o.Neg = int8(r.IntN(9)-4), r.IntN(2) == 0, r.IntN(2) == 0
			in.Args[r.IntN(len(in.Args))] = o
		}
	}
}

// FuzzRun runs whatever texts the parser takes.
func FuzzRun(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ptx.Parse("fuzz", []byte(text))
		if err == nil {
			attempt(t, m)
		}
	})
}

// JACQUARD_PTX names a directory of modules, such as NVIDIA's SDK samples.
func TestModulesOfADirectory(t *testing.T) {
	dir := os.Getenv("JACQUARD_PTX")
	if dir == "" {
		t.Skip("JACQUARD_PTX names no directory of modules")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.ptx"))
	require.NoError(t, err)
	kernels, ready := 0, 0
	for _, path := range files {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		m, err := ptx.Parse(path, text)
		require.NoError(t, err)
		attempt(t, m)
		p, err := Load(m, Config{Texture: func(Sample) (x [4]uint64, err error) { return x, nil }})
		require.NoError(t, err)
		for name, f := range p.bodies {
			if !f.Entry {
				continue
			}
			kernels++
			if _, err := p.ready(name); err == nil {
				ready++
			} else {
				t.Log(strings.TrimPrefix(err.Error(), dir))
			}
		}
	}
	t.Logf("%d modules, %d kernels, %d of them ready", len(files), kernels, ready)
}

func BenchmarkThreads(b *testing.B) {
	m, err := ptx.Parse("", []byte(kernel(modern, "", `
	mov.u32 %r2, 0;
	mov.f32 %f0, 0f3F800000;
again:
	fma.rn.f32 %f0, %f0, 0f3F000000, 0f3F800000;
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p0, %r2, 100;
	@%p0 bra again;
	mov.b32 %r0, %f0;`)))
	require.NoError(b, err)
	p, err := Load(m, Config{})
	require.NoError(b, err)
	address, _, err := p.Memory().Alloc(4096 * 4)
	require.NoError(b, err)
	params := make([]byte, 8)
	putLittle(params, address)
	for b.Loop() {
		require.NoError(b, p.Run("k", Launch{Grid: [3]int{16}, Block: [3]int{256}, Params: params}))
	}
}
