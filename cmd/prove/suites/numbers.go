package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// tolerance bounds the distance of a number from the wanted number; the zero value requires
// equality.
type tolerance struct {
	relative float64 // of the larger magnitude
	absolute float64
}

// floats is the tolerance for single precision where two compilers order operations differently.
var floats = tolerance{relative: 1e-3, absolute: 1e-6}

// accepts reports whether a number is near enough. NaN is near no number.
func (t tolerance) accepts(got, want float64) bool {
	far := math.Abs(got - want)
	return got == want || far <= t.absolute || far <= t.relative*max(math.Abs(got), math.Abs(want))
}

// compare compares two texts word by word. Words that are numbers in both may differ by the
// tolerance.
func (t tolerance) compare(got, want string) error {
	a, b := strings.Fields(got), strings.Fields(want)
	if len(b) == 0 {
		return fmt.Errorf("there is nothing to compare with")
	}
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] && !t.acceptsWords(a[i], b[i]) {
			return fmt.Errorf("word %d of %d is %.40s, not %.40s", i+1, len(b), a[i], b[i])
		}
	}
	if len(a) != len(b) {
		return fmt.Errorf("%d words, not %d", len(a), len(b))
	}
	return nil
}

func (t tolerance) acceptsWords(got, want string) bool {
	both, err := numbers(got+" "+want, float)
	return err == nil && t.accepts(both[0], both[1])
}

// numbers reads the words of a text.
func numbers[T any](text string, parse func(string) (T, error)) (list []T, err error) {
	for _, word := range strings.Fields(text) {
		n, err := parse(word)
		if err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, nil
}

// float reads a word as a number.
func float(word string) (float64, error) { return strconv.ParseFloat(word, 64) }
