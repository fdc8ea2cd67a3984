package simt

import (
	"errors"
	"fmt"

	"jacquard/simt/engine"
	"jacquard/simt/engine/interp"
	"jacquard/simt/engine/reference"
	"jacquard/simt/engine/translate"
	"jacquard/simt/engine/translate/host"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// The values of Host.Engine.
const (
	EngineTranslate = "translate"
	EngineInterp    = "interp"
	EngineReference = "reference"
)

// engines are the engines by name. The empty name means the interpreter on hosts that refuse to
// run generated code.
var engines = map[string]func(*program.Program) (engine.Code, error){
	"":              translate.Compile,
	EngineTranslate: translate.Compile,
	EngineInterp:    interp.Compile,
	EngineReference: reference.Compile,
}

// EngineError says that the host cannot run an engine that was asked for, or that no such engine
// exists.
type EngineError struct {
	Name   string
	Reason error // nil: it does not exist
}

func (e *EngineError) Error() string {
	if e.Reason != nil {
		return fmt.Sprintf("%s cannot run here: %v", e.Name, e.Reason)
	}
	return fmt.Sprintf("unknown engine %q: want %s", e.Name, tesla.Alternatives([]string{EngineTranslate, EngineInterp, EngineReference}))
}

// Unwrap returns the reason.
func (e *EngineError) Unwrap() error { return e.Reason }

// CheckSIMD returns the error with which Lower refuses a value of Host.SIMD, nil if it does not.
func CheckSIMD(name string) error {
	_, err := host.Find(name)
	return err
}

// CheckEngine returns the error with which Lower refuses a Host, nil if it does not.
func CheckEngine(h Host) error {
	simd, err := host.Find(h.SIMD)
	switch {
	case err != nil:
		return err
	case engines[h.Engine] == nil:
		return &EngineError{h.Engine, nil}
	case h.Engine != EngineTranslate || simd != host.Off:
		return nil
	}
	if err := host.Lacking(); err != nil {
		return &EngineError{h.Engine, err}
	}
	return &EngineError{h.Engine, errNoSIMD}
}

var errNoSIMD = errors.New("vector instructions are off")

// Untranslated says why kernels run in the interpreter here if nothing else is asked for; it is nil
// where they are translated.
func Untranslated() error { return host.Lacking() }

// SIMDs returns the values of Host.SIMD that this host takes, least first.
func SIMDs() []string { return host.Names() }
