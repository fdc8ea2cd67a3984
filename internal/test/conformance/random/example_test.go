package random_test

import (
	"fmt"

	"jacquard/internal/test/conformance/random"
)

func ExampleRacing() {
	k, err := random.Racing(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s begins with %s", k.Name, &k.Code[0])
	// Output: racing1 begins with mov b32 $r3 b32 s[0x10]
}
