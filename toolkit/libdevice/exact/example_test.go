package exact_test

import (
	"fmt"

	"jacquard/toolkit/libdevice/exact"
)

func ExampleErfc() {
	y := exact.Erfc(exact.Float(10))
	fmt.Println(y.Text('g', 30))
	// Output: 2.08848758376254475700078629496e-45
}
