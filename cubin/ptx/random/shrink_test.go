package random

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
	for _, kind := range []string{"thread", "internal error", "not supported", "fault"} {
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
	for changed := true; changed; {
		changed = false
		lines := strings.Split(best.Text, "\n")
		for size := len(lines) / 2; size > 0; size /= 2 {
			for at := 0; at < len(lines); {
				end := min(at+size, len(lines))
				c := best
				c.Text = strings.Join(append(append([]string{}, lines[:at]...), lines[end:]...), "\n")
				if defined(c.Text) && bad(&c) {
					best, changed = c, true
					lines = strings.Split(best.Text, "\n")
					continue
				}
				at = end
			}
		}
	}
	return &best
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
