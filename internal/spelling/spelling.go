package spelling

import (
	"iter"
	"slices"
)

// Of longer names, and at a greater distance, nothing is near.
const (
	longest      = 64
	mostDistance = 3
)

// Nearest returns the known name that is most like name, "" if none is. At most three characters are
// to be changed, added or removed, and at most half as many as the shorter name has. Of names at the
// same distance, the first in the alphabet is returned.
func Nearest(name string, known iter.Seq[string]) string {
	if len(name) > longest {
		return ""
	}
	best, least := "", mostDistance
	for other := range known {
		if len(other) > longest {
			continue
		}
		d := distance(name, other)
		if d > least || 2*d > min(len(name), len(other)) {
			continue
		}
		if d < least || best == "" || other < best {
			best, least = other, d
		}
	}
	return best
}

// distance returns how many characters are to be changed, added or removed to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = slices.Min([]int{change, row[j] + 1, before + 1})
		}
	}
	return row[len(b)]
}
