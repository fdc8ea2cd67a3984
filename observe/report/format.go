package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// count writes a number with commas between thousands.
func count(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// percent writes part of whole: "12.3 %", "< 0.1 %"; "" if whole is 0.
func percent(part, whole uint64) string {
	p := 100 * ratio(part, whole)
	switch {
	case whole == 0:
		return ""
	case part == 0:
		return "0 %"
	case p < 0.1:
		return "< 0.1 %"
	case part < whole && p >= 99.95:
		return "> 99.9 %"
	case part == whole:
		return "100 %"
	}
	return fmt.Sprintf("%.1f %%", p)
}

// width writes part of whole as a length in CSS: "12.34%".
func width(part, whole uint64) string { return fmt.Sprintf("%.2f%%", 100*ratio(part, whole)) }

// one writes a mean with two digits after the point.
func one(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }

// took writes a duration.
func took(d time.Duration) string {
	switch {
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(10 * time.Microsecond).String()
	}
	return d.Round(100 * time.Nanosecond).String()
}

// plural writes a count of things.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	end := "s"
	if strings.HasSuffix(what, "ch") {
		end = "es"
	}
	return count(uint64(n)) + " " + what + end
}

// shape writes the sizes of a grid or a block.
func shape(sizes ...int) string {
	s := strconv.Itoa(sizes[0])
	for _, n := range sizes[1:] {
		s += "×" + strconv.Itoa(n)
	}
	return s
}
