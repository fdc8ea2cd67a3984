package planted

// pair is two lines of the text, the lower one first.
type pair [2]int

func pairOf(a, b int) pair { return pair{min(a, b), max(a, b)} }

// verdict says which lines conflict, and how: the words of findings.
type verdict struct {
	wrong map[pair]words // races
	right map[pair]words // notes
	loose map[pair]bool  // both sides of a branch: the compiler may have made one after the other
}

type words map[string]bool

func (v *verdict) add(to map[pair]words, p pair, what string) {
	if to[p] == nil {
		to[p] = words{}
	}
	to[p][what] = true
}

// judge compares all accesses of all bytes. Any block may come last.
func (k *Kernel) judge() *verdict {
	v := &verdict{wrong: map[pair]words{}, right: map[pair]words{}, loose: map[pair]bool{}}
	winners := 1
	each(&k.body, func(list *[]*stmt, i int) {
		if (*list)[i].op == last {
			winners = k.grid
		}
	})
	for number := range k.launches {
		for winner := range winners {
			v.launch(k.walk(number, winner), winner)
		}
	}
	return v
}

// launch compares the accesses of a launch.
func (v *verdict) launch(events []*event, winner int) {
	for _, cells := range sorted(events) {
		for _, list := range cells {
			if !mixed(list) {
				continue
			}
			for i, a := range list {
				for _, b := range list[:i] {
					if a.thread != b.thread || a.block != b.block {
						v.compare(a, b, winner)
					}
				}
			}
		}
	}
}

// memory is a global array, or that of shared memory of a block.
type memory struct {
	array *array
	block int
}

// sorted returns the accesses of each byte.
func sorted(events []*event) map[memory][][]*event {
	all := map[memory][][]*event{}
	for _, e := range events {
		m := memory{array: e.array}
		if e.array.shared {
			m.block = e.block
		}
		if all[m] == nil {
			all[m] = make([][]*event, e.array.bytes)
		}
		for i := e.low; i < e.high; i++ {
			all[m][i] = append(all[m][i], e)
		}
	}
	return all
}

// mixed reports whether the accesses are neither all reads nor all atomic.
func mixed(list []*event) bool {
	var roles [3]int
	for _, e := range list {
		roles[e.role]++
	}
	return len(list) > 1 && roles[read] < len(list) && roles[atomic] < len(list)
}

// compare judges two accesses of different threads to one byte.
func (v *verdict) compare(a, b *event, winner int) {
	what := conflict(a, b)
	p := pairOf(a.line, b.line)
	near := a.block == b.block && a.thread/warp == b.thread/warp
	switch {
	case what == "" || ordered(a, b, winner) || ordered(b, a, winner):
	case what == "write-write" && same(a, b):
		v.add(v.right, p, "same-value")
		if near && (a.line != b.line || a.rounds != b.rounds) {
			v.add(v.right, p, "warp-synchronous")
		}
	case !near || a.line == b.line && a.rounds == b.rounds:
		v.add(v.wrong, p, what)
	case apart(a, b):
		v.add(v.wrong, p, what)
		v.loose[p] = true
	default:
		v.add(v.right, p, "warp-synchronous")
	}
}

// conflict returns the word for two accesses to one byte, "" if they may come in any order.
func conflict(a, b *event) string {
	switch {
	case a.role == b.role && a.role != write:
		return ""
	case a.role == atomic || b.role == atomic:
		return "atomic-plain"
	case a.role == write && b.role == write:
		return "write-write"
	}
	return "read-write"
}

// ordered reports whether a comes before b, other than by lock step.
func ordered(a, b *event, winner int) bool {
	if a.block == b.block {
		return a.phase < b.phase
	}
	return b.block == winner && a.before && a.fenced && b.after
}

// same reports whether two writes leave the same bytes where both write.
func same(a, b *event) bool {
	for i := max(a.low, b.low); i < min(a.high, b.high); i++ {
		if a.bytes[i-a.low] != b.bytes[i-b.low] {
			return false
		}
	}
	return true
}

// apart reports whether two lanes are on the two sides of a branch.
func apart(a, b *event) bool {
	for _, s := range a.sides {
		for _, o := range b.sides {
			if s.branch == o.branch && s.rounds == o.rounds && s.other != o.other {
				return true
			}
		}
	}
	return false
}
