package check_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/check"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// meetings is a random kernel of barriers, branches, loops and returns, whose conditions are bits of
// the number of the thread, the warp, the lane or the block.
type meetings struct {
	r        *rand.Rand
	lines    []string       // of code
	labels   map[string]int // by name: line
	barriers []int          // by number: line
	body     []statement
}

// statement is one of: a barrier; an if; a loop; a return.
type statement struct {
	kind    int
	bit     bit
	barrier int
	yes, no []statement
}

// The kinds of statement.
const (
	isBarrier = iota
	isIf
	isLoop
	isReturn
)

// bit is a bit of a register: of the thread, the warp, the lane, the block, or of zero.
type bit struct {
	register string
	shift    uint
}

// bits are the registers with the numbers of bits that differ.
var bits = map[string]uint{"$r0": 7, "$r1": 2, "$r2": 5, "$r3": 1, "$r124": 1}

// of returns the value of the bit for a thread.
func (b bit) of(block, thread int) int {
	value := map[string]int{"$r0": thread, "$r1": thread / 32, "$r2": thread % 32, "$r3": block}[b.register]
	return value >> b.shift & 1
}

// emit adds instructions.
func (k *meetings) emit(format string, args ...any) {
	k.lines = append(k.lines, fmt.Sprintf(format, args...))
}

// label returns a new name of a place.
func (k *meetings) label() string { return fmt.Sprintf("L%d", len(k.lines)*100+len(k.labels)) }

// place names the next instruction.
func (k *meetings) place(label string) { k.labels[label] = len(k.lines) }

// bit chooses a bit: one that differs between threads of a block, with a chance of 1 in odds.
func (k *meetings) bit(odds int) bit {
	list := []string{"$r3", "$r124"}
	if k.r.IntN(odds) == 0 {
		list = []string{"$r0", "$r1", "$r2"}
	}
	register := list[k.r.IntN(len(list))]
	return bit{register, k.r.UintN(bits[register])}
}

// test emits code that sets $c0 unless the bit is set.
func (k *meetings) test(b bit) {
	k.emit("shr u32 $r5 %s 0x%x", b.register, b.shift)
	k.emit("and b32 $r5 $r5 0x1")
	k.emit("set $c0 # e s32 $r5 $r124")
}

// statements makes up to four statements.
func (k *meetings) statements(depth int) (list []statement) {
	for range 1 + k.r.IntN(3) {
		s := statement{kind: k.r.IntN(4)}
		if depth > 2 {
			s.kind = isBarrier
		}
		end := k.label()
		switch s.kind {
		case isBarrier:
			s.barrier = len(k.barriers)
			k.barriers = append(k.barriers, len(k.lines))
			k.emit("bar inc wait 0x0 0xfff")
		case isIf:
			other := end + "e"
			s.bit = k.bit(6)
			k.test(s.bit)
			k.emit("joinat %s", end)
			k.emit("(lg $c0) bra %s", other)
			s.yes = k.statements(depth + 1)
			k.emit("bra %s", end)
			k.place(other)
			s.no = k.statements(depth + 1)
			k.place(end)
			k.emit("join (never) nop")
		case isLoop:
			s.bit = k.bit(8)
			k.test(s.bit)
			k.emit("add b32 $r%d $r5 0x1", 6+depth)
			k.emit("joinat %s", end)
			again := end + "a"
			k.place(again)
			s.yes = k.statements(depth + 1)
			k.emit("add b32 $r%d $r%d 0xffffffff", 6+depth, 6+depth)
			k.emit("set $c0 # g s32 $r%d $r124", 6+depth)
			k.emit("(lg $c0) bra %s", again)
			k.place(end)
			k.emit("join (never) nop")
		case isReturn:
			if s.bit = k.bit(8); k.r.IntN(2) == 0 {
				s.bit = bit{"$r124", 0}
				k.emit("nop")
				break
			}
			k.test(s.bit)
			k.emit("set $c0 # lg s32 $r5 $r124")
			k.emit("(lg $c0) ret")
		}
		list = append(list, s)
	}
	return list
}

// newMeetings makes a kernel.
func newMeetings(seed uint64) (*meetings, program.Kernel) {
	k := &meetings{r: rand.New(rand.NewPCG(seed, 0)), labels: map[string]int{}}
	k.emit("shr u32 $r1 $r0 0x5")
	k.emit("and b32 $r2 $r0 0x1f")
	k.emit("mov b32 $r3 b32 s[0xc]")
	k.body = k.statements(0)
	k.emit("ret")
	for i, line := range k.lines {
		if before, label, ok := strings.Cut(line, " L"); ok {
			line = fmt.Sprintf("%s 0x%x", before, 8*k.labels["L"+label])
		}
		k.lines[i] = line + " {long}"
		if strings.Contains(line, "bra") || strings.Contains(line, "joinat") || strings.Contains(line, "ret") {
			k.lines[i] = line
		}
	}
	img, err := asm.Read(".module sm_13 abi=1 name=m\n.kernel k registers=12 shared=0 local=0 barriers=1\n" + strings.Join(k.lines, "\n") + "\n")
	if err != nil {
		panic(err)
	}
	return k, program.Kernel{Name: "k", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, img.Kernels[0].Code), Registers: 12, Shared: 0x40}
}

// passes are the barriers that a thread passes, with the rounds of the loops around them.
type passes struct {
	barriers []int
	rounds   []string
}

// run appends the barriers of statements. It reports whether the thread returned.
func (p *passes) run(list []statement, block, thread int, round string) bool {
	for i := range list {
		s := &list[i]
		set := s.bit.of(block, thread)
		switch s.kind {
		case isBarrier:
			p.barriers, p.rounds = append(p.barriers, s.barrier), append(p.rounds, round)
		case isReturn:
			if set != 0 {
				return true
			}
		case isIf:
			side := s.no
			if set != 0 {
				side = s.yes
			}
			if p.run(side, block, thread, round) {
				return true
			}
		case isLoop:
			for n := range set + 1 {
				if p.run(s.yes, block, thread, fmt.Sprintf("%s.%d", round, n)) {
					return true
				}
			}
		}
	}
	return false
}

const (
	meetingBlocks  = 2
	meetingThreads = 128
)

// verdict is what the barriers that its threads pass say of a block.
type verdict struct {
	wrong    bool // threads pass different barriers
	together bool // the lanes of each warp pass the same barriers in the same rounds
	what     string
	at       int // the barrier of the first mistake, if all lanes wait for each other
}

// judge finds out what is wrong with a block.
func (k *meetings) judge(block int) (v verdict) {
	var all [meetingThreads]passes
	for i := range all {
		all[i].run(k.body, block, i, "")
	}
	v.together = true
	first := len(all[0].barriers) // barriers that all threads pass alike
	for i := range all {
		a, of := all[i], all[i/32*32]
		v.wrong = v.wrong || !slices.Equal(a.barriers, all[0].barriers)
		v.together = v.together && slices.Equal(a.barriers, of.barriers) && slices.Equal(a.rounds, of.rounds)
		n := 0
		for n < min(len(a.barriers), first) && a.barriers[n] == all[0].barriers[n] {
			n++
		}
		first = min(first, n)
	}
	if !v.wrong {
		return v
	}
	var places [meetingThreads / 32]map[int]bool // by warp; -1 is the end
	for i, a := range all {
		if i%32 == 0 {
			places[i/32] = map[int]bool{}
		}
		if first < len(a.barriers) {
			places[i/32][a.barriers[first]] = true
		} else {
			places[i/32][-1] = true
		}
	}
	v.what, v.at = firstMistake(places[:])
	return v
}

// firstMistake returns what is wrong with a meeting of warps.
func firstMistake(places []map[int]bool) (what string, at int) {
	all := map[int]bool{}
	what = check.Partial
	var parted []int
	for _, here := range places {
		if len(here) > 1 && here[-1] {
			what = check.AfterExit
		}
		list := slices.DeleteFunc(slices.Sorted(maps.Keys(here)), func(n int) bool { return n < 0 })
		if len(list) > 1 {
			parted = append(parted, list...)
		}
		for _, n := range list {
			all[n] = true
		}
	}
	at = slices.Min(slices.Collect(maps.Keys(all)))
	switch {
	case len(parted) > 0:
		return check.Divergent, slices.Min(parted)
	case len(all) > 1:
		return check.Different, at
	}
	return what, at
}

// check runs a kernel under Sync.
func (k *meetings) check(t *testing.T, kernel program.Kernel, policy string) (list []check.Finding, missed []*simt.MissedBarrier) {
	t.Helper()
	p, err := simt.Lower(kernel)
	require.NoError(t, err)
	l := &simt.Launch{
		Program: p, Grid: [2]int{meetingBlocks, 1}, Block: [3]int{meetingThreads, 1, 1}, Global: mem.NewSpace(1 << 20), Policy: policy,
		InStep: simt.InStepOff,
	}
	stats, err := simt.Run(l)
	require.NoError(t, err)
	var second []check.Finding // of a checker beside the first
	l.Checker = check.Together(
		&check.Sync{Found: func(f check.Finding) { list = append(list, f) }},
		&check.Sync{Found: func(f check.Finding) { second = append(second, f) }},
	)
	_, err = simt.Run(l)
	require.NoError(t, err)
	require.Equal(t, list, second)
	return list, stats.Missed
}

// Sync finds a mistake in a random kernel if and only if threads of a block pass different barriers,
// or if lanes of a warp that arrives as a whole pass them in different rounds. It names the first,
// unless such a warp has lost lanes by then.
func TestSyncRandom(t *testing.T) {
	for _, policy := range []string{"nvidia", "stackless", "mimd", "simty", "volta", "dwf"} {
		seeds, counts := uint64(60), map[string]int{}
		if policy == "nvidia" {
			seeds = 300
		}
		for seed := range seeds {
			k, kernel := newMeetings(seed)
			why := fmt.Sprintf("%s, seed %d\n%s", policy, seed, strings.Join(k.lines, "\n"))
			list, missed := k.check(t, kernel, policy)
			wrong, together := false, true
			for block := range meetingBlocks {
				v := k.judge(block)
				together = together && v.together
				if wrong || !v.wrong && (v.together || policy != "nvidia") {
					continue
				}
				wrong = true
				require.NotEmpty(t, list, why)
				if f := &list[0]; v.together || policy != "nvidia" {
					require.Equal(t, v.what, f.What, why)
					require.EqualValues(t, 8*k.barriers[v.at], f.At.Device.PC, why)
					require.Equal(t, [2]int{block, 0}, f.At.Where[0].Block, why)
				}
				counts[list[0].What]++
			}
			if !wrong {
				require.Empty(t, list, why)
				counts["right"]++
			}
			if together { // without a checker, as much is told
				require.Equal(t, wrong, len(missed) > 0, why)
			}
		}
		t.Log(policy, counts)
		for _, what := range []string{"right", check.Divergent, check.Different, check.Partial, check.AfterExit} {
			require.NotZero(t, counts[what], "%s: %s", policy, what)
		}
	}
}
