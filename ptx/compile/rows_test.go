package compile_test

import (
	"encoding/binary"
	"flag"
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/tesla"
)

var update = flag.Bool("update", false, "write testdata/refusals.txt")

var arches = []tesla.Arch{tesla.SM10, tesla.SM11, tesla.SM12, tesla.SM13}

// refusals are the instructions that something refuses: counts, by instruction, reason and device.
type refusals struct {
	mu    sync.Mutex
	lines map[string]map[string]int
	// mistakes counts failures by instruction.
	mistakes map[string]int
}

func (r *refusals) add(who string, k *rowKernel, without removed) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for n, why := range without {
		key := general(k.lines[n].name) + ": " + reason(why, k.lines[n].name)
		if r.lines[key] == nil {
			r.lines[key] = map[string]int{}
		}
		r.lines[key][who]++
	}
}

// general returns the operation and the types of an instruction.
func general(name string) string {
	words := strings.Split(name, ".")
	out := words[:1:1]
	for _, w := range words[1:] {
		if isType(w) {
			out = append(out, w)
		}
	}
	return strings.Join(out, ".")
}

// reason returns a message without what differs between the devices or the modifiers.
func reason(why, name string) string {
	for _, a := range arches {
		why = strings.ReplaceAll(why, a.String(), "the device")
	}
	for w := range strings.FieldsSeq(why) {
		if strings.Count(w, "_") > 0 && strings.HasPrefix(w, strings.Split(name, ".")[0]+"_") {
			why = strings.Replace(why, w, "the instruction", 1)
		}
	}
	return strings.Split(why, "; expected")[0]
}

// String returns the refusals: who refuses which instructions, and why.
func (r *refusals) String() string {
	names := map[string][]string{}
	for _, key := range slices.Sorted(maps.Keys(r.lines)) {
		name, why, _ := strings.Cut(key, ": ")
		who := strings.Join(slices.Sorted(maps.Keys(r.lines[key])), " ")
		names[why+" ["+who+"]"] = append(names[why+" ["+who+"]"], name)
	}
	var b strings.Builder
	for _, why := range slices.Sorted(maps.Keys(names)) {
		b.WriteString(why + "\n")
		at := 100
		for _, name := range names[why] {
			if at+len(name) > 96 {
				b.WriteString("\n\t"[min(1, max(0, at-99)):])
				at = 8
			}
			b.WriteString(" " + name)
			at += 1 + len(name)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestRows runs every instruction of the language on rows of operands, as the reference and as
// machine code of every device. testdata/refusals.txt lists the instructions that the compiler
// refuses.
func TestRows(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(800)) // many small kernels, little memory
	r := &refusals{lines: map[string]map[string]int{}, mistakes: map[string]int{}}
	t.Run("kernels", func(t *testing.T) {
		for _, d := range dialects {
			kernels := append(memoryKernels(d), formKernels(d)...)
			const parts = 8
			for part := range parts {
				t.Run(fmt.Sprintf("%s/%d", d.name, part), func(t *testing.T) {
					t.Parallel()
					for i := part; i < len(kernels); i += parts {
						compareRows(t, &kernels[i], r, i%4 == 0)
						kernels[i].readings = nil
					}
				})
			}
		}
	})
	checkRefusals(t, r)
	for _, name := range slices.Sorted(maps.Keys(r.mistakes)) {
		t.Logf("%s: %d mistakes", name, r.mistakes[name])
	}
}

func checkRefusals(t *testing.T, r *refusals) {
	t.Helper()
	const file = "testdata/refusals.txt"
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, []byte(r.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), r.String(), "run with -update if this is meant")
}

// compareRows runs a kernel as the reference and on devices: without all, only on the first and the
// last one, as the code for the others hardly differs.
func compareRows(t *testing.T, k *rowKernel, r *refusals, all bool) {
	t.Helper()
	without := removed{}
	_, _, err := k.parsed(without)
	require.NoError(t, err)
	r.add("parser", k, without)
	unknown := maps.Clone(without)
	want, err := k.interpret(unknown)
	if err != nil {
		text, _ := k.text(nil)
		require.NoError(t, err, text)
	}
	reported := maps.Clone(unknown)
	maps.DeleteFunc(reported, func(n int, _ string) bool { return without[n] != "" })
	r.add("reference", k, reported)
	for _, arch := range arches {
		refused := maps.Clone(without)
		image, err := k.compiled(arch, refused)
		if err != nil {
			image = k.isolate(t, arch, refused, r)
		}
		if image == nil {
			t.Errorf("%s: %v with\n%s", arch, err, k.lineText(0))
			continue
		}
		maps.DeleteFunc(refused, func(n int, _ string) bool { return without[n] != "" })
		r.add(arch.String(), k, refused)
		if !all && (arch == tesla.SM11 || arch == tesla.SM12) {
			continue
		}
		got, err := k.execute(arch, image)
		if err != nil {
			text, _ := k.text(refused.set())
			t.Errorf("%s: %v\n%s", arch, err, text)
			continue
		}
		k.compare(t, r, arch, got, want, func(n int) bool {
			return unknown[n] == "" && refused[n] == ""
		})
	}
}

// compare compares results, a line after the other.
func (k *rowKernel) compare(t *testing.T, r *refusals, arch tesla.Arch, got, want []byte,
	both func(n int) bool) {
	t.Helper()
	const each = 2 * 8 * rowThreads
	in := k.memory()
	for n := range k.lines {
		g, w := got[n*each:(n+1)*each], want[n*each:(n+1)*each]
		if !both(n) || string(g) == string(w) || (k.open(n) || k.onlyNaN(n, g, w)) {
			continue
		}
		if r.mistake(k.lines[n].name) {
			t.Fail()
			continue
		}
		at := 0
		for g[at] == w[at] {
			at++
		}
		at &^= 7
		thread := at / 8 % rowThreads
		var row []string
		for i := range rowOperands {
			x := binary.LittleEndian.Uint64(in[rowBytes*thread+8*i:])
			row = append(row, fmt.Sprintf("%#x", x))
		}
		t.Errorf("%s: %s: result %d is %#x instead of %#x for %v\n%s", arch, k.lines[n].name,
			at/8/rowThreads, binary.LittleEndian.Uint64(g[at:]), binary.LittleEndian.Uint64(w[at:]),
			row, k.lineText(n))
	}
}

// open reports whether results may differ: the library approximates some functions of f64 its own
// way, and sums in shared memory flush as all sums do.
func (k *rowKernel) open(n int) bool {
	words := strings.Split(k.lines[n].name, ".")
	last := len(words) - 1
	switch words[0] {
	case "rsqrt":
		return words[last] == "f64"
	case "rcp":
		return words[last] == "f64" && slices.Contains(words, "approx")
	case "atom", "red":
		return slices.Contains(words, "shared") && words[last] == "f32"
	}
	return false
}

// onlyNaN reports whether results differ only where a conversion with .ftz, or of another sign, has
// NaN, or one with .ftz rounds up to the smallest normal number.
func (k *rowKernel) onlyNaN(n int, got, want []byte) bool {
	words := strings.Split(k.lines[n].name, ".")
	cvt := words[0] == "cvt" && slices.Contains(words, "ftz")
	for i := 0; i < len(got); i += 8 {
		g, w := binary.LittleEndian.Uint64(got[i:]), binary.LittleEndian.Uint64(want[i:])
		flushed := cvt && g<<1&0xffffffff == 0x01000000 && w<<1&0xffffffff == 0
		to := words[max(len(words)-2, 0)]
		open := cvt || words[0] == "cvt" && k.lines[n].signed
		if g != w && !flushed && !(open && aNaN(to, g) && aNaN(to, w)) {
			return false
		}
	}
	return true
}

// aNaN reports whether a number of a type is no number.
func aNaN(t string, x uint64) bool {
	switch t {
	case "f32":
		return x<<33>>33 > 0x7f800000
	case "f64":
		return x<<1>>1 > 0x7ff0000000000000
	}
	return false
}

// isolate finds the lines that the compiler fails on without naming them, which are mistakes, and
// returns the machine code of the others.
func (k *rowKernel) isolate(t *testing.T, arch tesla.Arch, refused removed, r *refusals) *cubin.Image {
	t.Helper()
	bad := removed{}
	for n := range k.lines {
		if refused[n] != "" {
			continue
		}
		alone := removed{}
		for i := range k.lines {
			if i != n {
				alone[i] = "another line"
			}
		}
		if _, err := k.compiled(arch, alone); err != nil {
			bad[n] = err.Error()
			if !r.mistake(k.lines[n].name) {
				t.Errorf("%s: %s: %v\n%s", arch, k.lines[n].name, err, k.lineText(n))
			}
			t.Fail()
		}
	}
	maps.Copy(refused, bad)
	image, _ := k.compiled(arch, refused)
	return image
}

// mistake counts a mistake in an instruction. It reports whether enough of its kind are shown.
func (r *refusals) mistake(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mistakes[general(name)]++
	return r.mistakes[general(name)] > 1
}

// lineText returns the statements of a line.
func (k *rowKernel) lineText(n int) string {
	w := &kernelText{starts: map[int]int{}, number: n, header: k.header}
	k.lines[n].write(w)
	return w.b.String()
}
