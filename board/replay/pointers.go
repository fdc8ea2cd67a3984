package replay

import (
	"maps"
	"math/bits"
	"slices"

	"jacquard/cubin"
	"jacquard/observe/bundle"
)

// Memory has no types, so an experiment decides whether a word is an address or a number that looks
// like one. A launch runs on the simulator as recorded, and again with all memory elsewhere and the
// supposed addresses changed accordingly. If both leave the same memory, except for moved
// addresses, the guess is right.

// finder finds the addresses in launches.
type finder struct {
	engine *Engine
	known  map[*bundle.Kernel]*pointers // the last right guess
}

// places are offsets of words that hold addresses after a launch, by object.
type places map[*bundle.Object][]int

var errPointers = &Uncomparable{"its memory or parameters hold addresses that cannot be told from numbers, and on the library memory has other addresses"}

// find returns the words of l that are addresses before the launch, and afterwards. The error is an
// *[Uncomparable] if experiments do not decide.
func (f *finder) find(l *bundle.Launch) (*pointers, places, error) {
	y, ok := shuffled(l)
	if !ok {
		return nil, nil, &Uncomparable{"it uses too many addresses to try others"}
	}
	image, err := cubin.Parse(l.Kernel.Module.Image)
	if err != nil {
		return nil, nil, err
	}
	here, err := f.engine.Run(l)
	if err != nil {
		return nil, nil, err
	}
	if here.Result != bundle.Success {
		return nil, nil, &Uncomparable{"it fails on the simulator: " + outcome(here.Outcome)}
	}
	try := func(p *pointers) (places, bool, error) {
		there, err := f.engine.Run(p.moveLaunch(l, image, y))
		if err != nil || there.Result != here.Result {
			return nil, false, err
		}
		after, ok := moves(l, here.Memory, there.Memory, y)
		return after, ok, nil
	}
	if p := f.known[l.Kernel]; p != nil {
		if after, ok, err := try(p); ok || err != nil {
			return p, after, err
		}
	}
	p, after, err := search(candidates(l, y), try)
	if err == nil {
		f.known[l.Kernel] = p
	}
	return p, after, err
}

// search tries guesses until one is right: the parameters that may be addresses, then all of
// memory, too. From the right guess it removes parameters that need not be addresses: numbers that
// merely look like them.
func search(params []int, try func(*pointers) (places, bool, error)) (*pointers, places, error) {
	for _, memory := range []bool{false, true} {
		for _, guess := range subsets(params) {
			p := &pointers{params: guess, memory: memory}
			after, ok, err := try(p)
			if err != nil {
				return nil, nil, err
			}
			if ok {
				return without(p, after, try)
			}
		}
	}
	return nil, nil, errPointers
}

// without removes the parameters from p that need not be addresses.
func without(p *pointers, after places, try func(*pointers) (places, bool, error)) (*pointers, places, error) {
	for _, at := range slices.Sorted(maps.Keys(p.params)) {
		less := &pointers{params: maps.Clone(p.params), memory: p.memory}
		delete(less.params, at)
		left, ok, err := try(less)
		if err != nil {
			return nil, nil, err
		}
		if ok {
			p, after = less, left
		}
	}
	return p, after, nil
}

// mostSubsets is the most parameters whose subsets are all tried.
const mostSubsets = 5

// subsets returns sets of parameters to try: all parameters and, if there are few, every other set,
// the largest first.
func subsets(params []int) (sets []map[int]bool) {
	masks := []uint{1<<len(params) - 1}
	if len(params) <= mostSubsets {
		for m := range masks[0] {
			masks = append(masks, m)
		}
		slices.SortStableFunc(masks, func(a, b uint) int { return bits.OnesCount(b) - bits.OnesCount(a) })
	}
	for _, m := range masks {
		set := map[int]bool{}
		for i, at := range params {
			if m>>i&1 != 0 {
				set[at] = true
			}
		}
		sets = append(sets, set)
	}
	return sets
}

// moves returns the words of memory that are addresses, given the memory of both runs; ok is false
// if anything else differs.
func moves(l *bundle.Launch, here, there [][]byte, y layout) (after places, ok bool) {
	after = places{}
	for i, o := range l.Memory {
		if o.Kind == bundle.Array {
			continue
		}
		found, ok := y.Alike(here[i], there[i], 0)
		if !ok {
			return nil, false
		}
		if len(found) > 0 {
			after[o] = found
		}
	}
	return after, true
}
