package findings

import (
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"strings"

	"jacquard/simt/check"
	"jacquard/simt/lane"
)

// lanes returns the lanes of a mask as ranges: "lanes 0-15, 17".
func lanes(m lane.Mask) string {
	noun := "lanes "
	if bits.OnesCount32(uint32(m)) == 1 {
		noun = "lane "
	}
	return noun + ranges(m, 0)
}

// ranges returns the numbers of the bits of a mask, counted from a number on: "0-15, 17". Many with
// equal steps are "0, 2, ..., 30".
func ranges(m lane.Mask, from int) string {
	if first, step, last := steps(m); step > 1 {
		return fmt.Sprintf("%d, %d, ..., %d", from+first, from+first+step, from+last)
	}
	var list []string
	for i := 0; i < lane.Width; i++ {
		if m>>i&1 == 0 {
			continue
		}
		first := i
		for i+1 < lane.Width && m>>(i+1)&1 != 0 {
			i++
		}
		if text := fmt.Sprint(from + first); i == first {
			list = append(list, text)
		} else {
			list = append(list, fmt.Sprintf("%s-%d", text, from+i))
		}
	}
	return strings.Join(list, ", ")
}

// steps returns the first and the last bit of a mask, and the step between its bits; 0 if the steps
// differ, or the bits are few.
func steps(m lane.Mask) (first, step, last int) {
	const few = 4
	first, last = bits.TrailingZeros32(uint32(m)), bits.Len32(uint32(m))-1
	n := bits.OnesCount32(uint32(m))
	if n <= few || (last-first)%(n-1) != 0 {
		return first, 0, last
	}
	step = (last - first) / (n - 1)
	for i := first; i < last; i += step {
		if m>>i&1 == 0 {
			return first, 0, last
		}
	}
	return first, step, last
}

// index returns the index of a lane's thread in a block of this shape.
func index(shape [3]int, warp, l int) [3]int {
	n := warp*lane.Width + l
	return [3]int{n % shape[0], n / shape[0] % shape[1], n / shape[0] / shape[1]}
}

// who says which threads were at a site: by their indices if the shape of the block is known.
func who(f *check.Finding, t check.Thread) string {
	place := fmt.Sprintf("warp %d, %s", t.Warp, lanes(t.Lanes))
	block := fmt.Sprintf("block (%d,%d), ", t.Block[0], t.Block[1])
	first := bits.TrailingZeros32(uint32(t.Lanes))
	last := bits.Len32(uint32(t.Lanes)) - 1
	switch {
	case f.Shape[0] <= 0 || f.Shape[1] <= 0 || t.Lanes == 0:
		return block + place
	case f.Shape[1] == 1 && f.Shape[2] == 1:
		noun := "threads "
		if first == last {
			noun = "thread "
		}
		return block + noun + ranges(t.Lanes, t.Warp*lane.Width) + " (" + place + ")"
	case first == last:
		return block + "thread " + tuple(index(f.Shape, t.Warp, first)) + " (" + place + ")"
	}
	return fmt.Sprintf("%sthreads %s to %s (%s)", block, tuple(index(f.Shape, t.Warp, first)), tuple(index(f.Shape, t.Warp, last)), place)
}

// group returns how many of the first of some threads follow one another in a block, over several
// warps; 1 if the shape of the block is not known.
func group(f *check.Finding, list []check.Thread) int {
	for n := 1; n < len(list); n++ {
		t, next := list[n-1], list[n]
		toEnd := t.Lanes != 0 && ^t.Lanes&(^t.Lanes+1) == 0
		fromBegin := next.Lanes != 0 && next.Lanes&(next.Lanes+1) == 0
		if f.Shape[0] <= 0 || f.Shape[1] <= 0 || next.Block != t.Block || next.Warp != t.Warp+1 || !toEnd || !fromBegin {
			return n
		}
	}
	return len(list)
}

// whole says which threads of several warps, that follow one another, were at a site.
func whole(f *check.Finding, list []check.Thread) string {
	t, end := list[0], list[len(list)-1]
	first, last := bits.TrailingZeros32(uint32(t.Lanes)), bits.Len32(uint32(end.Lanes))-1
	threads := fmt.Sprintf("%s to %s", tuple(index(f.Shape, t.Warp, first)), tuple(index(f.Shape, end.Warp, last)))
	if f.Shape[1] == 1 && f.Shape[2] == 1 {
		threads = fmt.Sprintf("%d-%d", t.Warp*lane.Width+first, end.Warp*lane.Width+last)
	}
	return fmt.Sprintf("block (%d,%d), threads %s (warps %d-%d)", t.Block[0], t.Block[1], threads, t.Warp, end.Warp)
}

// everybody says which threads were at a site.
func everybody(f *check.Finding, s *check.Site) (list []string) {
	for rest := s.Where; len(rest) > 0; {
		n := group(f, rest)
		if n == 1 {
			list = append(list, who(f, rest[0]))
		} else {
			list = append(list, whole(f, rest[:n]))
		}
		rest = rest[n:]
	}
	return list
}

func tuple(i [3]int) string { return fmt.Sprintf("(%d,%d,%d)", i[0], i[1], i[2]) }

// Sources shows lines of source files. The zero value reads files where they are.
type Sources struct {
	Folder string                       // names of files inside are shown without it; "" for none
	Open   func(string) ([]byte, error) // nil is os.ReadFile

	files map[string][]string
}

// line returns a line of a file without blanks around it, "" if it cannot be read.
func (s *Sources) line(file string, n int) string {
	lines := s.lines(file)
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}

// lines returns the lines of a file, none if it cannot be read.
func (s *Sources) lines(file string) []string {
	lines, known := s.files[file]
	if !known {
		open := s.Open
		if open == nil {
			open = readSource
		}
		if data, err := open(file); err == nil {
			lines = strings.Split(string(data), "\n")
		}
		if s.files == nil {
			s.files = map[string][]string{}
		}
		s.files[file] = lines
	}
	return lines
}

// readSource reads a plain file of a size that source may have.
func readSource(file string) ([]byte, error) {
	const most = 16 << 20
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > most {
		return nil, fmt.Errorf("%s: no source", file)
	}
	return os.ReadFile(file)
}

// short returns the name of a file without the folder, if it is inside.
func (s *Sources) short(file string) string {
	if s.Folder != "" && filepath.IsAbs(file) {
		if rel, err := filepath.Rel(s.Folder, file); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return file
}

// place returns a frame as "FILE:LINE".
func (s *Sources) place(f check.Frame) string {
	return fmt.Sprintf("%s:%d", s.short(f.File), f.Line)
}
