package player

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

const halfWarp = lane.Width / 2

// cost is the cost of an access, with the reason.
type cost struct {
	Size   int    `json:"size"` // bytes per lane
	Rule   string `json:"rule"`
	Halves []half `json:"halves"`
}

// half is the part of a half-warp.
type half struct {
	First int     `json:"first"` // its first lane
	Cost  string  `json:"cost"`
	Fetch []fetch `json:"fetch,omitempty"` // of device memory
	Bank  []bank  `json:"bank,omitempty"`  // the banks of shared memory in use
}

// fetch is a transaction of device memory.
type fetch struct {
	At    uint32 `json:"at"`
	Bytes int    `json:"bytes"`
}

// bank is a bank of shared memory, with the words that lanes want of it.
type bank struct {
	Number int      `json:"number"`
	Turns  int      `json:"turns"` // steps in which it serves the first words of lanes
	Words  []uint32 `json:"words"`
}

// Rules of the cost of an access, for readers.
const (
	ruleOld    = "One transaction serves the half-warp if its lane k accesses element k of an aligned segment of 16 elements; otherwise each lane has its own."
	ruleNew    = "The segment of the lowest lane not yet served serves every lane in it. Its transaction is halved while only one half of it is used."
	ruleShared = "A step broadcasts the word of the lowest waiting lane to all lanes that want it, and each other of the 16 banks serves its lowest waiting lane. Elements of 8 and 16 bytes take a round of steps for each word."
)

// access returns the cost of an access of some lanes; nil if the instruction accesses no memory
// with a cost.
func access(in *tesla.Instruction, arch tesla.Arch, addr *lane.Row, m lane.Mask) *cost {
	c := &cost{Size: mem.Size(in.Type)}
	var each func(h *half, part lane.Mask)
	switch in.Op.Class() {
	case tesla.ClassGlobal:
		if c.Rule = ruleOld; arch >= tesla.SM12 {
			c.Rule = ruleNew
		}
		each = func(h *half, part lane.Mask) { h.fetches(arch, addr, part, c.Size) }
	case tesla.ClassShared:
		c.Rule = ruleShared
		each = func(h *half, part lane.Mask) { h.banks(addr, part, c.Size) }
	default:
		return nil
	}
	for first := 0; first < lane.Width; first += halfWarp {
		if part := m & ((1<<halfWarp - 1) << first); part != 0 {
			h := half{First: first}
			each(&h, part)
			c.Halves = append(c.Halves, h)
		}
	}
	if len(c.Halves) == 0 {
		return nil
	}
	return c
}

// fetches says which transactions of device memory serve the lanes m of a half-warp.
func (h *half) fetches(arch tesla.Arch, addr *lane.Row, m lane.Mask, size int) {
	fetched, wanted := 0, map[uint32]bool{} // bytes
	for _, x := range mem.Explain(arch, addr, m, size) {
		h.Fetch = append(h.Fetch, fetch{x.At, x.Bytes})
		fetched += x.Bytes
	}
	for rest := m; rest != 0; rest &= rest - 1 {
		for k := range uint32(size) {
			wanted[addr[bits.TrailingZeros32(uint32(rest))]+k] = true
		}
	}
	h.Cost = fmt.Sprintf("%s; %d of %d bytes are wanted", counted(len(h.Fetch), "transaction"), len(wanted), fetched)
}

// banks says which banks of shared memory serve the lanes m of a half-warp, and which collide.
func (h *half) banks(addr *lane.Row, m lane.Mask, size int) {
	var words [mem.Banks][]uint32
	for rest := m; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros32(uint32(rest))
		for k := range uint32(max(1, size/4)) {
			at := addr[l]&^3 + 4*k
			if b := &words[at/4%mem.Banks]; !slices.Contains(*b, at) {
				*b = append(*b, at)
			}
		}
	}
	served := mem.BankSteps(addr, m)
	most := slices.Max(served[:])
	var busy []string
	for n, list := range words {
		if len(list) == 0 {
			continue
		}
		slices.Sort(list)
		h.Bank = append(h.Bank, bank{n, served[n], list})
		if served[n] == most {
			busy = append(busy, fmt.Sprint(n))
		}
	}
	h.Cost = counted(int(mem.SharedSteps(addr, m, size).Steps), "step")
	switch {
	case most == 1:
		h.Cost += "; no bank collides"
	case len(busy) == 1:
		h.Cost += fmt.Sprintf("; bank %s serves %d times", busy[0], most)
	default:
		h.Cost += fmt.Sprintf("; banks %s serve %d times each", strings.Join(busy, ", "), most)
	}
}

// counted puts a number before a noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
