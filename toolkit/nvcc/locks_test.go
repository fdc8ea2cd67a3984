package nvcc

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// module is a loop as clang writes it without optimization. The section leaves it in a way of its
// own.
func module(section, leaves string) string {
	return strings.NewReplacer("SECTION", section, "LEAVES", leaves).Replace(`define void @k(ptr %m) #0 {
entry:
  %m.addr = alloca ptr, align 8
  br label %while.body

while.body:                                       ; preds = %if.end, %entry
  %0 = load ptr, ptr %m.addr, align 8
  %call = call i32 @cas(ptr %0, i32 0, i32 1) #1
  %cmp = icmp eq i32 %call, 0
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %while.body
SECTION
LEAVES

if.end:                                           ; preds = %while.body
  br label %while.body, !llvm.loop !3

while.end:                                        ; preds = %if.then
  ret void
}

define internal i32 @cas(ptr %a, i32 %b, i32 %c) #2 {
entry:
  %old = cmpxchg ptr %a, i32 %b, i32 %c seq_cst seq_cst, align 4
  %was = extractvalue { i32, i1 } %old, 0
  ret i32 %was
}
`)
}

// Lanes that leave a loop from its section meet the others at the end of the loop's body.
func TestKeepSections(t *testing.T) {
	const release = "  %r = call i32 @cas(ptr %0, i32 1, i32 0) #1"
	for name, c := range map[string]struct{ section, leaves, want string }{
		"break":    {release, "  br label %while.end", "    i32 1, label %while.end\n"},
		"return":   {release, "  ret void, !dbg !9", "    i32 1, label %section.1.return\n"},
		"flag":     {release, "  br label %if.end", ""},
		"volatile": {"  store volatile i32 0, ptr %0, align 4", "  br label %while.end", "    i32 1, label %while.end\n"},
		"store":    {"  store i32 0, ptr %0, align 4", "  br label %while.end", "    i32 1, label %while.end\n"},
		"fence":    {"  fence seq_cst", "  br label %while.end", "    i32 1, label %while.end\n"},
	} {
		got := keepSections(module(c.section, c.leaves))
		require.Contains(t, got, "if.end:\n  br label %section.1.from.0, !llvm.loop !3\n", name)
		require.Contains(t, got, "section.1:\n  call void asm sideeffect \"\", \"\"() convergent nounwind\n", name)
		require.NotContains(t, got, "if.then:\n"+c.section+"\n  br label %while.end", name)
		require.Contains(t, got, c.want, name)
		if name != "flag" {
			require.Contains(t, got, "if.then:\n"+c.section+"\n  br label %section.1.from.1\n", name)
		}
		require.Contains(t, got, "  %section.1.way = alloca i32\n", name)
	}
}

// A section that stands behind the way back may have loops of its own.
func TestLoopsBehindTheWayBack(t *testing.T) {
	text := strings.NewReplacer("while.body:", "for.cond:", "%while.body", "%for.cond",
		"br i1 %cmp, label %if.then, label %if.end", "br i1 %cmp, label %if.then, label %again",
		"if.end:                                           ; preds = %while.body\n  br label %for.cond, !llvm.loop !3\n\n", "",
		"if.then:", "again:\n  br label %for.cond\n\nif.then:\n  br label %for.cond7\n\nfor.cond7:\n  br i1 %cmp, label %for.end8, label %for.cond7\n\nfor.end8:",
		"while.end", "for.end9").Replace(module("  fence seq_cst", "  br label %while.end"))
	got := keepSections(text)
	require.Contains(t, got, "for.end8:\n  fence seq_cst\n  br label %section.1.from.")
	require.Less(t, strings.Index(got, "for.end8:"), strings.Index(got, "section.1:"))
	require.Less(t, strings.Index(got, "section.1:"), strings.Index(got, "for.end9:"))
}

// The result of a function that returns from a section goes through a variable.
func TestKeepResults(t *testing.T) {
	text := strings.Replace(module("  store volatile i32 0, ptr %0, align 4", "  ret i32 %call"), "define void", "define i32", 1)
	got := keepSections(text)
	require.Contains(t, got, "  store i32 %call, ptr %section.1.result\n  store i32 1, ptr %section.1.way\n")
	require.Contains(t, got, "section.1.return:\n  %section.1.returned = load i32, ptr %section.1.result\n  ret i32 %section.1.returned\n")
}

// Loops without a section stay, letter by letter.
func TestOtherLoops(t *testing.T) {
	for name, text := range map[string]string{
		"nothing is released": module("  store i32 0, ptr %m.addr, align 4", "  br label %while.end"),
		"a value is stored":   module("  store i32 7, ptr %0, align 4", "  br label %while.end"),
		"no result": strings.Replace(module("  fence seq_cst", "  br label %while.end"),
			"icmp eq i32 %call, 0", "icmp eq ptr %0, null", 1),
		"a choice by the way": strings.Replace(module("  fence seq_cst", "  br label %while.end"),
			"  ret void", "  %x = phi i32 [ 0, %if.then ]\n  ret void", 1),
		"a value behind the loop": strings.Replace(module("  fence seq_cst", "  br label %while.end"),
			"  ret void", "  store i32 %call, ptr %m\n  ret void", 1),
		"no function": "@x = global i32 0\n!3 = !{}\n",
	} {
		require.Equal(t, withoutPredecessors(text), keepSections(text), name)
	}
}

// withoutPredecessors takes the comments of labels away, which are not kept.
func withoutPredecessors(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if label, _, found := strings.Cut(line, ": "); found && strings.Contains(line, "; preds =") {
			line = label + ":\n"
		}
		out.WriteString(line)
	}
	return out.String()
}

// Clang takes the text, and its optimizer leaves the section in the loop.
func TestLocksCompile(t *testing.T) {
	toolkit := small(t)
	write(t, "k.cu", `__device__ int atomicCAS(int *a, int b, int c) { return __nvvm_atom_cas_gen_i(a, b, c); }
__device__ int atomicExch(int *a, int b) { return __nvvm_atom_xchg_gen_i(a, b); }
extern "C" __global__ void k(int *lock, int *count) {
	bool done = false;
	while (!done) {
		if (atomicCAS(lock, 0, 1) == 0) {
			*count += 1;
			atomicExch(lock, 0);
			done = true;
		}
	}
}
`)
	for _, options := range []string{"", "-G", "-lineinfo", "-fmad=false -arch=sm_35"} {
		nvcc(t, toolkit, "-cubin "+options+" k.cu")
		text := listing(t, "k.cubin", "k")
		require.Less(t, strings.LastIndex(text, "EXCH"), strings.LastIndex(text, "BRA"), "%s\n%s", options, text)
	}
}
