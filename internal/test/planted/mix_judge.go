package planted

import (
	"fmt"
	"math/bits"

	"jacquard/simt/check"
)

// disagreement says where findings differ from what is expected, "" if nowhere.
func (e *expected) disagreement(m *Mix, r *mixResult) string {
	found := map[use]bool{}
	for i := range r.found {
		f := &r.found[i]
		at, _ := f.At.User()
		u := m.use(at.Line, f.What, e)
		if f.Kind != check.KindInit || f.Level != check.Error || e.may[u] == 0 {
			return fmt.Sprintf("line %d depends on nothing so: %v", at.Line, f)
		}
		first := f.With
		if first == nil {
			first = []check.Site{f.At}
		}
		if !e.read(e.may[u], f.Space, first) {
			return fmt.Sprintf("line %d, wrong origin: %v, expected %v", at.Line, f, e.lines(e.may[u]))
		}
		found[u] = true
	}
	for u := range e.must {
		if !found[u] && !e.elsewhere(found, u) {
			return fmt.Sprintf("line %d: no finding of %s; %v", u.line, u.what, e.lines(e.must[u]))
		}
	}
	if d := e.values(r.out); d != "" {
		return d
	}
	return e.output(m, r)
}

// use returns what a finding is about. The compiler may make guarded moves of branches.
func (m *Mix) use(line int, what string, e *expected) use {
	u := use{line, what}
	eachMove(&m.moves, func(list *[]*move, i int) {
		if v := (*list)[i]; what == "branch" && v.line < line && line <= v.last && e.may[use{v.line, what}] != 0 {
			u.line = v.line
		}
	})
	return u
}

// elsewhere reports whether another place was found that depends on the same register, or on guesses
// in the same way. The compiler may compute two conditions or addresses once, and each is reported
// once.
func (e *expected) elsewhere(found map[use]bool, u use) bool {
	for o := range found {
		if o.what == u.what && o != u && e.may[o]&e.must[u] != 0 && (e.of[o] == e.of[u] || e.like[o] == e.like[u]) {
			return true
		}
	}
	return false
}

// values compares the results of the launches with what is known of them.
func (e *expected) values(out []byte) string {
	for i := range e.out {
		if b := &e.out[i]; (out[i]^b.v[0])&^b.may != 0 {
			return fmt.Sprintf("byte %d of the results is %#x, not %#x", i, out[i], b.v[0])
		}
	}
	return ""
}

// output compares what the host gets, by the number of bytes and by origin.
func (e *expected) output(m *Mix, r *mixResult) string {
	var from uint64
	var least, most, found uint64 // bytes
	for i := range e.out {
		b := &e.out[i]
		if word := i / 4 % 2; word < m.host[0] || word >= m.host[1] || b.may == 0 {
			continue
		}
		most++
		from |= b.from
		if b.depends() {
			least++
		}
	}
	for i := range r.outputs {
		o := &r.outputs[i]
		if !e.read(from, o.Space, []check.Site{o.Site}) {
			return fmt.Sprintf("the host gets nothing of %v, but of %v", o, e.lines(from))
		}
		found += o.Bytes
	}
	if found < least || found > most {
		return fmt.Sprintf("the host gets %d bytes, not %d to %d; %v", found, least, most, e.lines(from))
	}
	return ""
}

// read reports whether a place may have read first what nobody wrote.
func (e *expected) read(from uint64, space string, sites []check.Site) bool {
	if space == "register" {
		return from&fromRegister != 0
	}
	for i := range sites {
		at, _ := sites[i].User()
		for n, v := range e.moves {
			same := v.line == at.Line || space == "shared" && v.line < at.Line // operands may be shared memory
			if from>>n&1 != 0 && same && v.place.space == space {
				return true
			}
		}
	}
	return false
}

// lines returns the lines of moves.
func (e *expected) lines(from uint64) (list []int) {
	for m := from &^ (1 << 63); m != 0; m &= m - 1 {
		if i := bits.TrailingZeros64(m); i < len(e.moves) {
			list = append(list, e.moves[i].line)
		}
	}
	return list
}
