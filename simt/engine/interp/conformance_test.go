package interp_test

import (
	"testing"

	"jacquard/internal/test/conformance"
	"jacquard/simt/engine/interp"
)

func TestConformance(t *testing.T) { conformance.Run(t, interp.Compile) }

func FuzzConformance(f *testing.F) { conformance.Fuzz(f, interp.Compile) }
