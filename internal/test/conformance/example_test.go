package conformance_test

import (
	"testing"

	"jacquard/internal/test/conformance"
	"jacquard/simt/engine/reference"
)

// A new engine passes by two lines.
func ExampleRun() {
	TestConformance := func(t *testing.T) { conformance.Run(t, reference.Compile) }
	_ = TestConformance
}
