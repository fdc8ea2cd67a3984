package mem

import (
	"slices"

	"jacquard/simt/lane"
)

// naiveCost counts an access by the text of the rules, lane by lane and with lists, without
// patterns. It is the reference for the costs of loads and stores.
func naiveCost(space byte, addr *lane.Row, m lane.Mask, size uint32) (c Cost) {
	for first := 0; first < lane.Width; first += 16 {
		var half []request
		for k := range 16 {
			if m>>(first+k)&1 != 0 {
				half = append(half, request{first + k, k, addr[first+k], size})
			}
		}
		if len(half) == 0 {
			continue
		}
		switch space {
		case 'g':
			c.Device.naive(half)
		case 'l':
			for _, words := range inWords(half) {
				for i, r := range words { // one word per lane, then the next word of each lane
					words[i].addr = r.addr/4*128 + uint32(r.lane)*4 + r.addr%4
				}
				c.Device.naive(words)
			}
		case 's':
			for _, words := range inWords(half) {
				c.Shared.naive(sharedInSteps(words))
			}
		case 'c':
			var distinct []uint32
			for _, r := range half {
				if !slices.Contains(distinct, r.addr) {
					distinct = append(distinct, r.addr)
				}
			}
			c.Const.naive(len(distinct))
		}
	}
	return c
}

// request is the access of lane k of a half-warp.
type request struct {
	lane, k    int
	addr, size uint32
}

// inWords divides requests of 8 and 16 bytes into accesses of 4.
func inWords(half []request) (list [][]request) {
	for k := uint32(0); k < half[0].size; k += 4 {
		words := slices.Clone(half)
		for i := range words {
			words[i].addr += k
			words[i].size = min(4, half[0].size)
		}
		list = append(list, words)
	}
	return list
}

func (s *Steps) naive(steps int) {
	s.Accesses++
	s.Steps += uint64(steps)
	if steps == 1 {
		s.Single++
	}
}

func (t *Traffic) naive(half []request) {
	t.Accesses++
	for _, bytes := range naive10(half) {
		t.G80.naive(bytes)
	}
	for _, bytes := range naive12(half) {
		t.GT200.naive(bytes)
	}
}

func (t *Transactions) naive(bytes uint32) {
	switch bytes {
	case 32:
		t.By32++
	case 64:
		t.By64++
	case 128:
		t.By128++
	default:
		panic("no such transaction")
	}
}

// naive10 returns the sizes of the transactions under compute capability 1.0 and 1.1.
func naive10(half []request) (sizes []uint32) {
	size := half[0].size
	segment := half[0].addr / (16 * size)
	coalesced := size >= 4
	for _, r := range half {
		if r.addr/(16*size) != segment || r.addr%(16*size)/size != uint32(r.k) {
			coalesced = false
		}
	}
	switch {
	case !coalesced:
		for range half {
			sizes = append(sizes, 32)
		}
		return sizes
	case size == 4:
		return []uint32{64}
	case size == 8:
		return []uint32{128}
	}
	return []uint32{128, 128}
}

// naive12 returns the sizes of the transactions under compute capability 1.2 and 1.3.
func naive12(half []request) (sizes []uint32) {
	for len(half) > 0 {
		size := map[uint32]uint32{1: 32, 2: 64, 4: 128, 8: 128, 16: 128}[half[0].size]
		start := half[0].addr / size * size
		inside := func(r request) bool { return r.addr/size*size == start }
		var served, waiting []request
		for _, r := range half {
			if inside(r) {
				served = append(served, r)
			} else {
				waiting = append(waiting, r)
			}
		}
		for size > 32 {
			lower := !slices.ContainsFunc(served, func(r request) bool { return r.addr+r.size-start > size/2 })
			upper := !slices.ContainsFunc(served, func(r request) bool { return r.addr-start < size/2 })
			if !lower && !upper {
				break
			}
			size /= 2
			if upper {
				start += size
			}
		}
		sizes, half = append(sizes, size), waiting
	}
	return sizes
}

// sharedInSteps returns the steps that serve requests for words.
func sharedInSteps(half []request) (steps int) {
	for len(half) > 0 {
		steps++
		shared := half[0].addr / 4
		busy := map[uint32]bool{shared % 16: true}
		var waiting []request
		for _, r := range half {
			word := r.addr / 4
			switch {
			case word == shared:
			case !busy[word%16]:
				busy[word%16] = true
			default:
				waiting = append(waiting, r)
			}
		}
		half = waiting
	}
	return steps
}
