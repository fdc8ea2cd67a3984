package code

import "fmt"

// Pass is a step from a Func to machine code.
type Pass struct {
	Name string
	What string // for people
	Run  func(f *Func) error
}

// Passes returns the passes that prepare a function for [Emit], in their order.
func Passes() []Pass {
	plain := func(run func(f *Func)) func(f *Func) error {
		return func(f *Func) error {
			run(f)
			return nil
		}
	}
	return []Pass{
		{"clean", "jumps to jumps and blocks that nothing leads to disappear", plain(clean)},
		{"flags", "a comparison with zero folds into the instruction that makes the value", plain(foldFlags)},
		{"convert", "branches around a few instructions become guards of these instructions", plain(convert)},
		{"gather", "lanes are led together before barriers and votes where regions would not do that", gather},
		{"literals", "numbers that no instruction can hold move to constant bank 1", plain(literals)},
		{"first", "guarded instructions are found that need not keep what their register held", plain(markFirst)},
		{"isolate", "registers that one instruction needs side by side get copies of their own", plain(isolate)},
		{"allocate", "virtual registers become registers; values without one move to local memory", allocate},
		{"simplify", "jumps and blocks that allocation left without effect disappear", plain(clean)},
		{"structure", "joinat and join are placed where branches meet", structure},
		{"layout", "blocks are put in order, with as few branches as possible", plain(layout)},
		{"host", "instructions are chosen that carry joins", plain(host)},
	}
}

// Compile runs all passes and returns the machine code. It changes f.
func Compile(f *Func) (*Result, error) {
	if f.MaxRegs <= 0 || f.MaxRegs > zeroReg {
		f.MaxRegs = zeroReg
	}
	for _, p := range Passes() {
		if err := p.Run(f); err != nil {
			return nil, fmt.Errorf("code: %s: %s: %w", f.Name, p.Name, err)
		}
	}
	return Emit(f)
}
