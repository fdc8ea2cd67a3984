package schedule

import (
	"jacquard/simt/engine/interp"
	"jacquard/simt/program"
)

// lower makes a program for the default engine.
func lower(k program.Kernel) (*Program, error) {
	p, err := program.Lower(k)
	if err != nil {
		return nil, err
	}
	code, err := interp.Compile(p)
	if err != nil {
		return nil, err
	}
	return NewProgram(p, code), nil
}
