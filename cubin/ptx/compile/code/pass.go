package code

import "fmt"

// Pass is a step from a Func to machine code.
type Pass struct {
	Name string
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
		{"clean", plain(clean)},
		{"flags", plain(foldFlags)},
		{"convert", plain(convert)},
		{"literals", plain(literals)},
		{"first", plain(markFirst)},
		{"isolate", plain(isolate)},
		{"allocate", allocate},
		{"simplify", plain(clean)},
		{"structure", plain(structure)},
		{"layout", plain(layout)},
		{"host", plain(host)},
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
