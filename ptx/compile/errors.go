package compile

import (
	"errors"
	"fmt"

	"jacquard/ptx"
	"jacquard/ptx/compile/ssabuild"
)

// mistakes collects the errors of all kernels, each text once: a function may be part of several.
type mistakes struct {
	module string
	errs   []error
	known  map[string]bool
}

// add adds the errors that err joins. Errors with a place in the text get the name of the module.
func (m *mistakes) add(kernel string, err error) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range several.Unwrap() {
			m.add(kernel, one)
		}
		return
	}
	var placed *ssabuild.Error
	if errors.As(err, &placed) {
		err = &ptx.Error{Name: m.module, Pos: placed.Pos, Message: placed.Message}
	} else {
		err = fmt.Errorf("%s: kernel %s: %w", m.module, kernel, err)
	}
	if text := err.Error(); !m.known[text] {
		m.known[text] = true
		m.errs = append(m.errs, err)
	}
}
