package library_test

import (
	"fmt"
	"testing"
)

// videoLanes are what the instructions on halves and bytes do with a lane.
var videoLanes = map[string]func(x, y int) int{
	"add": func(x, y int) int { return x + y },
	"sub": func(x, y int) int { return x - y },
	"min": func(x, y int) int { return min(x, y) },
	"max": func(x, y int) int { return max(x, y) },
	"absdiff": func(x, y int) int {
		if x < y {
			return y - x
		}
		return x - y
	},
	"avrg": func(x, y int) int { // to the nearest, away from zero if two are
		if x+y < 0 {
			return (x + y - 1) / 2
		}
		return (x + y + 1) / 2
	},
	"eq": func(x, y int) int { return oneIf(x == y) },
	"ne": func(x, y int) int { return oneIf(x != y) },
	"lt": func(x, y int) int { return oneIf(x < y) },
	"le": func(x, y int) int { return oneIf(x <= y) },
	"gt": func(x, y int) int { return oneIf(x > y) },
	"ge": func(x, y int) int { return oneIf(x >= y) },
}

func oneIf(x bool) int {
	if x {
		return 1
	}
	return 0
}

// lanesOf returns the lanes of a word, the lowest first.
func lanesOf(x uint64, n int, signed bool) (all []int) {
	size := 1 << (32 / n)
	for range n {
		lane := int(x) & (size - 1)
		if signed && lane >= size/2 {
			lane -= size
		}
		all = append(all, lane)
		x >>= 32 / n
	}
	return all
}

// video is the result of an instruction: how says sat, add or nothing.
func video(op, how string, n int, signed bool, r row) uint64 {
	a, b, size := lanesOf(r[0], n, signed), lanesOf(r[1], n, signed), 1<<(32/n)
	lowest, highest := 0, size-1
	if signed {
		lowest, highest = -size/2, size/2-1
	}
	word, sum, place := 0, int(r[2]), 1
	for i := range n {
		x := videoLanes[op](a[i], b[i])
		sum += x
		if how == "sat" {
			x = max(lowest, min(x, highest))
		}
		word += (x + 2*size) % size * place
		place *= size
	}
	if how == "add" {
		return uint64(uint32(sum))
	}
	return uint64(uint32(word))
}

// TestVideo compares the functions on halves and bytes with a second body.
func TestVideo(t *testing.T) {
	for _, n := range []int{2, 4} {
		for _, typ := range []string{"u32_u32", "s32_s32"} {
			try := func(op, how, name string) {
				check(t, fmt.Sprintf("v%s_%s", fmt.Sprintf(name, n), typ),
					one(func(r row) uint64 { return video(op, how, n, typ[0] == 's', r) }))
			}
			for _, op := range []string{"add", "sub", "min", "max", "absdiff", "avrg"} {
				try(op, "", op+"%d")
			}
			for _, op := range []string{"add", "sub", "absdiff"} {
				try(op, "sat", op+"%d_sat")
			}
			try("absdiff", "add", "absdiff%d_add")
			for _, cmp := range []string{"eq", "ne", "lt", "le", "gt", "ge"} {
				try(cmp, "", "set%d_"+cmp)
			}
		}
	}
}
