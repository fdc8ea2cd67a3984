package accuracy_test

import "strings"

// simd are the functions of halves and bytes.
func simd() map[string]word {
	all := map[string]word{}
	add := func(name string, sign bool, f func(a, b int, clamp func(int) int) int) {
		for width, suffix := range map[int]string{16: "2", 8: "4"} {
			all["v"+name+suffix] = lanewise(width, sign, f)
		}
	}
	plain := func(name string, sign bool, f func(a, b int) int) {
		add(name, sign, func(a, b int, _ func(int) int) int { return f(a, b) })
	}
	clamped := func(name string, sign bool, f func(a, b int) int) {
		add(name, sign, func(a, b int, clamp func(int) int) int { return clamp(f(a, b)) })
	}
	absolute := func(a, _ int) int { return max(a, -a) }
	negative := func(a, _ int) int { return -a }
	sum := func(a, b int) int { return a + b }
	difference := func(a, b int) int { return a - b }
	apart := func(a, b int) int { return max(a-b, b-a) }
	plain("abs", true, absolute)
	clamped("absss", true, absolute)
	plain("neg", true, negative)
	clamped("negss", true, negative)
	plain("add", true, sum)
	clamped("addss", true, sum)
	clamped("addus", false, sum)
	plain("sub", true, difference)
	clamped("subss", true, difference)
	clamped("subus", false, difference)
	plain("haddu", false, func(a, b int) int { return (a + b) / 2 })
	plain("avgu", false, func(a, b int) int { return (a + b + 1) / 2 })
	plain("avgs", true, func(a, b int) int { // halves go away from zero
		if a+b >= 0 {
			return (a + b + 1) / 2
		}
		return -((1 - a - b) / 2)
	})
	for suffix, sign := range map[string]bool{"s": true, "u": false} {
		plain("absdiff"+suffix, sign, apart)
		plain("max"+suffix, sign, func(a, b int) int { return max(a, b) })
		plain("min"+suffix, sign, func(a, b int) int { return min(a, b) })
	}
	for name, holds := range map[string]func(a, b int) bool{
		"eq": func(a, b int) bool { return a == b }, "ne": func(a, b int) bool { return a != b },
		"ge": func(a, b int) bool { return a >= b }, "gt": func(a, b int) bool { return a > b },
		"le": func(a, b int) bool { return a <= b }, "lt": func(a, b int) bool { return a < b },
	} {
		for _, suffix := range []string{"s", "u"} {
			full := name + suffix
			if strings.Contains("eq ne", name) {
				full = name
			}
			plain("set"+full, suffix == "s", func(a, b int) int { return int(truth(holds(a, b))) })
			plain("cmp"+full, suffix == "s", func(a, b int) int { return -int(truth(holds(a, b))) })
		}
	}
	for width, suffix := range map[int]string{16: "2", 8: "4"} {
		for name, sign := range map[string]bool{"sads": true, "sadu": false} {
			all["v"+name+suffix] = func(a []uint64) []uint64 {
				total := 0
				for at := 0; at < 32; at += width {
					total += apart(lane(a[0], at, width, sign), lane(a[1], at, width, sign))
				}
				return []uint64{uint64(uint32(total))}
			}
		}
	}
	return all
}

func lane(word uint64, at, width int, sign bool) int {
	x := int(word >> at & (1<<width - 1))
	if sign && x>>(width-1) != 0 {
		x -= 1 << width
	}
	return x
}

// lanewise applies f to the lanes of one word or two.
func lanewise(width int, sign bool, f func(a, b int, clamp func(int) int) int) word {
	clamp := func(x int) int {
		if sign {
			return min(max(x, -1<<(width-1)), 1<<(width-1)-1)
		}
		return min(max(x, 0), 1<<width-1)
	}
	return func(a []uint64) []uint64 {
		var y uint64
		for at := 0; at < 32; at += width {
			x := f(lane(a[0], at, width, sign), lane(a[len(a)-1], at, width, sign), clamp)
			y |= uint64(x) & (1<<width - 1) << at
		}
		return []uint64{y}
	}
}
