package translate

import "jacquard/simt/engine/translate/x86"

// moveLaneByLane loads elements of less than a word, or stores elements of up to a word, or of
// several words in local memory, in the order of lanes: of lanes at one address, the highest wins.
func (e *emitter) moveLaneByLane(k kind) {
	e.eachLane(func() {
		for i := range k.words() {
			data, at := dataAt(i, 0).Index(regWork0, 4), x86.At(regHost, rowBytes*int32(i)).Index(regSite, 1)
			switch size := int(8 * min(k.size(), 4)); {
			case k.store:
				e.a.Mov(32, x86.R(regWork1), data)
				e.a.Mov(size, at, x86.R(regWork1))
				continue
			case k.signed():
				e.a.MovSX(32, regWork1, size, at)
			default:
				e.a.MovZX(32, regWork1, size, at)
			}
			e.a.Mov(32, data, x86.R(regWork1))
		}
	})
}

// eachLane repeats code for each lane that accesses, in ascending order: with the lane in regWork0
// and its offset, from scratch row 0, in regSite. The code may change regWork1.
func (e *emitter) eachLane(f func()) {
	next := e.a.NewLabel()
	e.a.Mov(32, x86.R(regWork2), x86.R(regLanes))
	e.a.Bind(next)
	e.a.Tzcnt(32, regWork0, x86.R(regWork2))
	e.a.Mov(32, x86.R(regSite), scratchAt(0, 0).Index(regWork0, 4))
	f()
	e.a.Blsr(32, regWork2, x86.R(regWork2))
	e.a.Jcc(x86.NE, next)
}
