package ptxrandom

import (
	"errors"
	"regexp"
	"strings"
)

// alike reports whether two errors are of one kind: both of results, or both of the compiler.
func alike(a, b error) bool {
	if b == nil || errors.Is(b, errInvalid) {
		return false
	}
	return kindOf(a) == kindOf(b)
}

func kindOf(err error) string {
	s := err.Error()
	for _, kind := range []string{"thread", "internal error", "cannot encode", "the carry", "not supported", "fault"} {
		if strings.Contains(s, kind) {
			return kind
		}
	}
	return "other"
}

// shrink removes lines while a kernel stays bad.
func shrink(k *Kernel, bad func(*Kernel) bool) *Kernel {
	best := *k
	for _, b := range [][2]int{{1, 1}, {2, 1}, {4, 1}, {33, 1}} {
		c := best
		c.Block, c.Grid = b, [2]int{1, 1}
		if bad(&c) {
			best = c
			break
		}
	}
	lines := newLines(best.Text)
	for changed := true; changed; {
		changed = false
		for size := len(lines) / 2; size > 0; size /= 2 {
			for at := 0; at < len(lines); {
				end := min(at+size, len(lines))
				rest := append(append([]line{}, lines[:at]...), lines[end:]...)
				c := best
				c.Text = textOf(rest)
				if complete(rest) && passes(c.Text) == passes(best.Text) && defined(c.Text) && bad(&c) {
					best, lines, changed = c, rest, true
					continue
				}
				at = end
			}
		}
	}
	return &best
}

// line is a line and the lines that set the addresses in it.
type line struct {
	id    int
	text  string
	needs []int
}

var address = regexp.MustCompile(`%[aqzycm]\d+|%(?:in|out|end|own|flat|id|n|e)\b`)

func newLines(text string) (all []line) {
	set := map[string]int{}
	for i, s := range strings.Split(text, "\n") {
		l := line{id: i, text: s}
		if strings.HasPrefix(s, "\t.") || !strings.HasPrefix(s, "\t") {
			all = append(all, l)
			continue
		}
		regs := address.FindAllString(s, -1)
		for _, r := range regs {
			if at, ok := set[r]; ok {
				l.needs = append(l.needs, at)
			}
		}
		_, operands, _ := strings.Cut(strings.TrimPrefix(s, "\t"), " ")
		if len(regs) > 0 && strings.HasPrefix(operands, regs[0]) {
			set[regs[0]] = i
		}
		all = append(all, l)
	}
	return all
}

// complete reports whether no line misses one that sets its addresses.
func complete(all []line) bool {
	there := map[int]bool{}
	for _, l := range all {
		there[l.id] = true
	}
	for _, l := range all {
		for _, n := range l.needs {
			if !there[n] {
				return false
			}
		}
	}
	return true
}

func textOf(all []line) string {
	var out strings.Builder
	for i, l := range all {
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(l.text)
	}
	return out.String()
}

// passes counts the lines that pass parameters of functions.
func passes(text string) int {
	return strings.Count(text, "st.param") + strings.Count(text, "call (pr)") + strings.Count(text, "[%in_p]")
}

var (
	name    = regexp.MustCompile(`%[hrdfgpaqzycm]\d+|%(?:in|out|end|own|flat|id|n|arg\d+)\b`)
	barrier = regexp.MustCompile(`bar\.sync`)
)

// defined reports whether all registers that a text names get a value, as far as their first
// occurrence tells.
func defined(text string) bool {
	seen, branched := map[string]bool{}, false
	if strings.Count(text, "st.shared.u32 [%a0]") > 0 && len(barrier.FindAllString(text, -1)) < 2 {
		return false
	}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "\t.") || strings.HasPrefix(line, ".entry") {
			continue
		}
		if strings.HasPrefix(line, ".func") {
			clear(seen)
			branched = false
			for _, r := range name.FindAllString(line, -1) {
				seen[r] = true
			}
			continue
		}
		if line == "}" {
			clear(seen)
			branched = false
		}
		if strings.HasPrefix(line, "\t@") {
			branched = true
		}
		regs := name.FindAllString(line, -1)
		if len(regs) == 0 {
			continue
		}
		first := !strings.HasPrefix(line, "\tst") && !strings.HasPrefix(line, "\t@") &&
			!strings.HasPrefix(line, "\tred") && !strings.Contains(line, "{")
		for i, r := range regs {
			if (i > 0 || !first) && !seen[r] {
				return false
			}
		}
		if !branched || strings.Contains("cmzyaq", regs[0][1:2]) {
			seen[regs[0]] = true
		}
	}
	return true
}
