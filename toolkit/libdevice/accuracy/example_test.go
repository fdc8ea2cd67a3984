package accuracy_test

import (
	"fmt"

	"jacquard/toolkit/libdevice/accuracy"
	"jacquard/toolkit/libdevice/exact"
)

// One third as a float is a third of a unit in the last place off.
func ExampleErrorOf() {
	third := exact.Quo(exact.Float(1), exact.Float(3))
	fmt.Printf("%.2f\n", accuracy.ErrorOf(float64(float32(1)/3), third, true))
	// Output: 0.33
}
