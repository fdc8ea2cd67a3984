package ptx

import (
	"fmt"
	"maps"

	"jacquard/internal/spelling"
)

// unknown reports a name that stands for nothing, with one that is like it.
func (p *parser) unknown(t token, what string) {
	if p.bad {
		return
	}
	if why := absentSpecial(t.text); why != "" && t.text[0] == '%' {
		p.errorAt(t.pos, "%s is not supported: %s", t.text, why)
		return
	}
	p.errorAt(t.pos, "unknown %s %s%s", what, t.describe(), p.nearName(t.text))
}

// nearOp returns a hint at an operation that is like a name.
func (l *language) nearOp(name string) string {
	return hintAt(spelling.Nearest(name, maps.Keys(l.ops)))
}

// mostNear is the most names of a scope that are compared with another.
const mostNear = 2000

// nearName returns a hint at a visible name that is like another.
func (p *parser) nearName(name string) string {
	prefix, index := split(name)
	for i := range p.names.scopes {
		if vars := p.names.scopes[i].ranges[prefix]; len(vars) > 0 && index >= 0 {
			return fmt.Sprintf("; %s<%d> declares %s to %s", prefix, len(vars), vars[0].Name,
				vars[len(vars)-1].Name)
		}
	}
	return hintAt(spelling.Nearest(name, func(yield func(string) bool) {
		for i := range p.names.scopes {
			things := p.names.scopes[i].things
			if len(things) > mostNear {
				continue
			}
			for other := range things {
				if !yield(other) {
					return
				}
			}
		}
		for other := range specials {
			if !yield(other) {
				return
			}
		}
	}))
}

// hintAt is a hint at a name, nothing if there is none.
func hintAt(name string) string {
	if name == "" {
		return ""
	}
	return "; near is " + quote(name)
}
