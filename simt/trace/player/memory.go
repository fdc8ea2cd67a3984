package player

import (
	"fmt"
	"slices"
	"strings"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

const halfWarp = 16

// access says what an access of some lanes costs, a line for each half-warp; "" if the instruction
// accesses no memory whose cost is counted.
func access(in *tesla.Instruction, arch tesla.Arch, addr *lane.Row, m lane.Mask) string {
	size := mem.Size(in.Type)
	var each func(half lane.Mask) string
	switch in.Op {
	case tesla.OpLdGlobal, tesla.OpStGlobal:
		each = func(half lane.Mask) string { return transactions(arch, addr, half, size) }
	case tesla.OpStShared, tesla.OpLdShared:
		each = func(half lane.Mask) string { return conflicts(addr, half, size) }
	default:
		return ""
	}
	var lines []string
	for h := 0; h < lane.Width; h += halfWarp {
		if half := m & ((1<<halfWarp - 1) << h); half != 0 {
			lines = append(lines, fmt.Sprintf("lanes %d to %d: %s", h, h+halfWarp-1, each(half)))
		}
	}
	return strings.Join(lines, "\n")
}

// transactions says which segments of device memory a half-warp touches, and how they are fetched.
func transactions(arch tesla.Arch, addr *lane.Row, half lane.Mask, size int) string {
	count, rule := mem.Transactions10(addr, half, size), "one for the half-warp if lane k accesses element k of an aligned segment, else one per lane"
	segment := uint32(max(32, halfWarp*size))
	if arch >= tesla.SM12 {
		count, rule = mem.Transactions12(addr, half, size), "one per segment that lanes touch, halved while one half of it is used"
		segment = map[int]uint32{1: 32, 2: 64}[size]
		if segment == 0 {
			segment = 128
		}
	}
	var sizes []string
	for _, t := range []struct {
		n     uint64
		bytes int
	}{{count.By32, 32}, {count.By64, 64}, {count.By128, 128}} {
		if t.n > 0 {
			sizes = append(sizes, fmt.Sprintf("%d of %d bytes", t.n, t.bytes))
		}
	}
	var touched []string
	for _, at := range distinct(addr, half, func(a uint32) uint32 { return a &^ (segment - 1) }) {
		touched = append(touched, fmt.Sprintf("%#x", at))
	}
	return fmt.Sprintf("%s (%s); segments of %d bytes at %s; rule: %s",
		counted(count.Count(), "transaction"), strings.Join(sizes, ", "), segment, list(touched), rule)
}

// conflicts says which banks of shared memory serve a half-warp more than once.
func conflicts(addr *lane.Row, half lane.Mask, size int) string {
	steps := mem.SharedSteps(addr, half, size).Steps
	lanes := map[uint32]map[uint32]bool{} // words by bank
	for l := range lane.Width {
		if half>>l&1 != 0 {
			word := addr[l] / 4
			if lanes[word%16] == nil {
				lanes[word%16] = map[uint32]bool{}
			}
			lanes[word%16][word] = true
		}
	}
	var busy []string
	for bank := range uint32(16) {
		if n := len(lanes[bank]); n > 1 {
			busy = append(busy, fmt.Sprintf("bank %d has %d words", bank, n))
		}
	}
	if len(busy) == 0 {
		busy = []string{"no bank has two words"}
	}
	return fmt.Sprintf("%s: %s", counted(steps, "step"), list(busy))
}

// counted puts a number before a noun.
func counted(n uint64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// distinct returns what of makes of the addresses of lanes, in ascending order and each once.
func distinct(addr *lane.Row, m lane.Mask, of func(uint32) uint32) []uint32 {
	var all []uint32
	for l := range lane.Width {
		if m>>l&1 != 0 {
			all = append(all, of(addr[l]))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// list joins words, at most eight of them.
func list(words []string) string {
	const most = 8
	if len(words) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(words[:most], ", "), len(words)-most)
	}
	return strings.Join(words, ", ")
}
