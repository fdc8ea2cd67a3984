package ptx

import (
	"slices"
	"strings"

	"jacquard/internal/spelling"
)

// lastVersion is the latest major version that Parse reads, of CUDA 13. Parse takes all its minor
// versions: a form that one of them adds is not in the table and is refused where it is used. A
// later major version is refused, as it may change the meaning of a known form.
const lastVersion = 9

// targets are the known architectures: sm_ or compute_ stands before each. The suffix a means one
// architecture alone, f its family.
var targets = strings.Fields(`10 11 12 13 20 21 30 32 35 37 50 52 53 60 61 62 70 72 75 80 86 87 88 89
	90 90a 100 100a 100f 101 101a 101f 103 103a 103f 110 110a 110f 120 120a 120f 121 121a 121f`)

// options are the known words of .target beside architectures.
var options = []string{"debug", "map_f64_to_f32", "texmode_independent", "texmode_unified"}

// version reads 1.4, which the lexer takes for a float.
func (p *parser) version(word token) {
	t := p.tok
	major, minor, ok := strings.Cut(t.text, ".")
	if t.kind != tokFloat || !ok || !isDecimal(major) || !isDecimal(minor) {
		p.want("a version such as 3.0")
		return
	}
	p.next()
	if p.m.Version != (Version{}) {
		p.errorAt(word.pos, "second .version")
		return
	}
	v := Version{decimal(major), decimal(minor)}
	if v.Major < 1 || v.Major > lastVersion {
		p.errorAt(t.pos, "version %s; known are 1.0 to %d.x", t.text, lastVersion)
	}
	p.m.Version = v
}

// isDecimal reports whether text is one to four digits.
func isDecimal(text string) bool {
	for i := range len(text) {
		if classes[text[i]] != classDigit {
			return false
		}
	}
	return len(text) > 0 && len(text) <= 4
}

// target reads the target and its options. Several .target directives add up.
func (p *parser) target() {
	for {
		t := p.ident("a target such as sm_20")
		if p.bad {
			return
		}
		to := &p.m.Target
		switch arch, ok := architecture(t.text); {
		case ok:
			number := strings.TrimRight(arch, "af")
			to.Arch, to.Suffix = decimal(number), arch[len(number):]
		case t.text == "map_f64_to_f32":
			to.MapF64 = true
		case slices.Contains(options, t.text):
			to.Options = append(to.Options, t.text)
		default:
			p.errorAt(t.pos, "unknown target %s%s", t.describe(), nearTarget(t.text))
		}
		if !p.accept(',') {
			return
		}
	}
}

// architecture returns the 20 of sm_20. It reports false if there is no such architecture.
func architecture(text string) (string, bool) {
	for _, prefix := range []string{"sm_", "compute_"} {
		if arch, ok := strings.CutPrefix(text, prefix); ok {
			return arch, slices.Contains(targets, arch)
		}
	}
	return "", false
}

// nearTarget returns a hint at a target that is like a name.
func nearTarget(name string) string {
	return hintAt(spelling.Nearest(name, func(yield func(string) bool) {
		prefix := "sm_"
		if strings.HasPrefix(name, "compute_") {
			prefix = "compute_"
		}
		for _, arch := range targets {
			if !yield(prefix + arch) {
				return
			}
		}
		for _, option := range options {
			if !yield(option) {
				return
			}
		}
	}))
}
