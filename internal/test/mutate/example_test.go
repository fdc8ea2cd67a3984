package mutate_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"jacquard/internal/test/mutate"
)

// A description is changed a few times; most changes leave it JSON.
func ExampleJSON() {
	valid := 0
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 0))
		if json.Valid(mutate.JSON(r, []byte(`{"block":[64,1,1],"shared":16}`))) {
			valid++
		}
	}
	fmt.Println(valid > 50, valid < 100)
	// Output: true true
}
