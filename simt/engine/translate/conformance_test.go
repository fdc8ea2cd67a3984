package translate_test

import (
	"testing"

	"jacquard/internal/test/conformance"
	"jacquard/simt/engine/translate"
)

func TestConformance(t *testing.T) { conformance.Run(t, translate.CompileHot) }

// TestWarm runs the suite on code that becomes hot on the way.
func TestWarm(t *testing.T) { conformance.Run(t, translate.Compile) }

func FuzzConformance(f *testing.F) { conformance.Fuzz(f, translate.CompileHot) }
