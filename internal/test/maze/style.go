package maze

import (
	"fmt"

	"jacquard/asm"
	"jacquard/tesla"
)

// Style is the kind of control flow in a maze.
type Style uint8

// The styles.
const (
	Structured Style = iota // ifs and loops, all of them announced to the hardware
	Calling                 // and subroutines, some of them recursive
	Knotted                 // and regions in which branches go anywhere
	Tangled                 // only such regions
	styles
)

var styleNames = [styles]string{Structured: "structured", Calling: "calling", Knotted: "knotted", Tangled: "tangled"}

// String returns the name of the style.
func (s Style) String() string {
	if s < styles {
		return styleNames[s]
	}
	return fmt.Sprintf("Style(%d)", uint8(s))
}

// scope is what surrounds the code being written.
type scope struct {
	style    Style
	depth    int        // ifs and loops that may still be nested
	together bool       // all live threads of the block come here, each warp as a whole
	called   bool       // a return leads somewhere; else it ends the lane
	breaks   bool       // a break address is announced here, in the same call
	loop     *asm.Label // the head of the loop that a lane may continue
	knot     *knot
	function int // the subroutine being written, -1 for the kernel itself
}

// kernel writes a whole kernel, and its subroutines after it.
func (w *writer) kernel(s Style) {
	w.left = 8 + w.r.IntN(25)
	if s != Structured {
		w.burns = make([]bool, w.r.IntN(4))
		for f := range w.burns {
			w.burns[f] = w.r.IntN(2) == 0
			w.functions = append(w.functions, w.Label())
		}
	}
	w.entry()
	top := scope{style: s, depth: 3, together: true, function: -1}
	if s == Tangled {
		w.knotBody(top, tesla.OpRet)
	} else {
		w.block(top)
		w.store()
		w.Exit()
	}
	for f, start := range w.functions {
		w.Place(start)
		w.left = max(w.left, 5)
		w.function(scope{style: s, depth: 2, called: true, function: f})
	}
}

// function writes a subroutine.
func (w *writer) function(in scope) {
	w.stamp()
	if w.burns[in.function] {
		w.control(tesla.OpRet, w.burn())
	}
	if in.style == Tangled || in.style == Knotted && w.r.IntN(3) == 0 {
		w.knotBody(in, tesla.OpRet)
		return
	}
	w.block(in)
	w.control(tesla.OpRet, tesla.Guard{})
}

// call calls a subroutine: a later one, or any that returns at once when the thread has no fuel.
func (w *writer) call(in scope) {
	f := w.r.IntN(max(1, len(w.burns)))
	if f >= len(w.burns) || f <= in.function && !w.burns[f] {
		w.stamp()
		return
	}
	w.jump(tesla.OpCall, tesla.Guard{}, w.functions[f])
}
