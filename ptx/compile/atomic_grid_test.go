package compile_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"jacquard/tesla"
)

// atomicOps are the operations on the types that PTX has for them, up to 64 bits.
var atomicOps = []string{
	"add.u32", "add.s32", "add.u64", "add.f32", "add.f64", "min.u32", "min.s32", "min.u64", "min.s64",
	"max.u32", "max.s32", "max.u64", "max.s64", "and.b32", "and.b64", "or.b32", "or.b64", "xor.b32", "xor.b64",
	"exch.b32", "exch.b64", "cas.b32", "cas.b64", "inc.u32", "dec.u32",
}

// atomicPlaces are ways to name the word: %d1 is its address in global memory, %d2 that in shared
// memory. The last goes through local memory, as in code for debuggers.
var atomicPlaces = []struct{ name, space, code string }{
	{"global", ".global", ""},
	{"shared", ".shared", "mov.u64 %d1, %d2;"},
	{"generic, global", "", "cvta.global.u64 %d1, %d1;"},
	{"generic, shared", "", "cvta.shared.u64 %d1, %d2;"},
	{"generic, by lane", "", "cvta.shared.u64 %d2, %d2; @%p2 mov.u64 %d1, %d2;"},
	{"generic, from memory", "", ".local .align 8 .b64 kept; cvta.shared.u64 %d2, %d2; @%p2 mov.u64 %d1, %d2;\n" +
		"mov.u64 %d3, kept; cvta.local.u64 %d3, %d3; st.u64 [%d3], %d1; ld.u64 %d1, [%d3];"},
}

// atomicUses are ways to use the result. OP stands for the operation, D for its result, which is
// zero before.
var atomicUses = []struct{ name, code string }{
	{"used", "atomOP D, ARGS;"},
	{"unused", "atomOP E, ARGS;"},
	{"in a phi", "@!%p1 bra other; atomOP D, ARGS; bra both; other: mov.b64 %d4, 77; mov.b32 %r4, 78; both:"},
	{"in a loop", "mov.u32 %r9, 0; again: atomOP D, ARGS; add.u32 %r9, %r9, 1; setp.lt.u32 %p4, %r9, 3; @%p4 bra again;"},
	{"under a predicate", "@%p1 atomOP D, ARGS;"},
	{"reduction", "redOP ARGS;"},
}

// atomicKernel writes a kernel whose threads change one word each, or all the same one. Its result
// has the final words, and, without collisions, the values that the operation returned.
func atomicKernel(op, space, place, use string, collide bool) string {
	name, typ, _ := strings.Cut(op, ".")
	wide := strings.HasSuffix(typ, "64")
	result, other, x, y := "%r4", "%r10", "%r5", "%r6"
	if wide {
		result, other, x, y = "%d4", "%d7", "%d5", "%d6"
	}
	args := "[%d1], " + x
	if name == "cas" {
		args += ", " + y
	}
	slot, returned := "%flat", result
	if collide {
		slot, returned = "0", other
	}
	fold := "cvt.u64.u32 " + "%d0, " + returned + ";"
	if wide {
		fold = "mov.b64 %d0, " + returned + ";"
	}
	r := strings.NewReplacer("OP", space+"."+op, "D,", result+",", "E,", other+",", "ARGS", args)
	return wordKernel(".shared .align 8 .b64 s[64];\n.global .align 8 .b64 g[64];", `
	mov.b64 %d0, 0x3ff0000040a00000;
	mov.u64 %d1, g; mad.wide.u32 %d3, %flat, 8, %d1; st.global.b64 [%d3], %d0;
	mov.u64 %d2, s; mad.wide.u32 %d3, %flat, 8, %d2; st.shared.b64 [%d3], %d0;
	mov.u32 %r1, `+slot+`;
	mad.wide.u32 %d1, %r1, 8, %d1; mad.wide.u32 %d2, %r1, 8, %d2;
	and.b32 %r2, %flat, 1; setp.eq.u32 %p2, %r2, 0;
	and.b32 %r2, %flat, 2; setp.eq.u32 %p1, %r2, 0;
	mov.b64 %d4, 0; mov.b32 %r4, 0; mov.b64 %d7, 0; mov.b32 %r10, 0;
	`+atomicOperands(name, typ, collide)+`
	bar.sync 0;
	`+place+"\n"+r.Replace(use)+`
	bar.sync 0;
	`+fold+`
	mov.u64 %d1, g; mad.wide.u32 %d3, %flat, 8, %d1; ld.global.b64 %d1, [%d3];
	mov.u64 %d2, s; mad.wide.u32 %d3, %flat, 8, %d2; ld.shared.b64 %d2, [%d3];
	mul.lo.u64 %d1, %d1, 0x9e3779b97f4a7c15; mul.lo.u64 %d2, %d2, 0x7f4a7c159e3779b9;
	add.u64 %d0, %d0, %d1; xor.b64 %d0, %d0, %d2;
	mov.b64 {%r0, %r1}, %d0; mul.lo.u32 %r1, %r1, 31; xor.b32 %r0, %r0, %r1;
`)
}

// atomicOperands sets the operands of an operation: %r5 and %r6, %d5 and %d6. Where threads collide,
// the order of their operations must not matter.
func atomicOperands(name, typ string, collide bool) string {
	switch {
	case typ == "f32":
		return "cvt.rn.f32.u32 %f0, %flat; mov.b32 %r5, %f0;"
	case typ == "f64":
		return "mov.b64 %d5, 0x4000000000000000;"
	case name == "inc" || name == "dec":
		return "mov.b32 %r5, 7;"
	case name == "cas":
		return "mov.b64 %d5, 0x3ff0000040a00000; mov.b32 %r5, 0x40a00000; @!%p1 mov.b64 %d5, 5; @!%p1 mov.b32 %r5, 5;\n" +
			"mov.b64 %d6, 0x123456789; mov.b32 %r6, 0x456789;"
	case name == "exch" && collide:
		return "mov.b64 %d5, 0x123456789; mov.b32 %r5, 0x456789;"
	}
	return "mul.lo.u32 %r5, %flat, 0x9e3779b1; xor.b32 %r5, %r5, 0x85a1b3c7; mul.wide.u32 %d5, %r5, %r5; xor.b64 %d5, %d5, 0xb;"
}

// sampled is the share of the grid that runs without JACQUARD_GRID, which runs all of it.
const sampled = 29

// TestAtomicGrid runs every operation on every type, place and use of the result, in one thread and in
// a warp whose threads collide or do not, and compares with the reference.
func TestAtomicGrid(t *testing.T) {
	step, n := sampled, 0
	if os.Getenv("JACQUARD_GRID") != "" {
		step = 1
	}
	for _, op := range atomicOps {
		for _, place := range atomicPlaces {
			for _, use := range atomicUses {
				for i := range 3 {
					width, collide := []int{1, 32, 32}[i], i == 2
					if n++; n%step != 0 || unsuited(op, use.name) {
						continue
					}
					t.Run(fmt.Sprintf("%s %s %s %d %v", op, place.name, use.name, width, collide), func(t *testing.T) {
						t.Parallel()
						first := tesla.SM12
						if strings.HasSuffix(op, "f64") {
							first = tesla.SM13
						}
						requireWords(t, atomicKernel(op, place.space, place.code, use.code, collide), first, [2]int{width, 1})
					})
				}
			}
		}
	}
}

// unsuited reports whether PTX lacks the reduction.
func unsuited(op, use string) bool {
	name, _, _ := strings.Cut(op, ".")
	swap := name == "exch" || name == "cas"
	return use == "reduction" && swap
}
