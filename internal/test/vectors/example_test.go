package vectors_test

import (
	"fmt"

	"jacquard/internal/test/vectors"
	"jacquard/tesla"
)

func ExampleRead() {
	list, err := vectors.Read("../../../decoder/testdata/" + vectors.Forms)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range list {
		if v.Kind == "mem" && v.On[tesla.SM11].Valid && !v.On[tesla.SM10].Valid {
			fmt.Printf("%s: %s\n", &v, v.On[tesla.SM11].Text)
			break
		}
	}
	// Output: 10000609,44000780: ld $r2 u8 s[0x3]
}
