package bind_test

import (
	"fmt"

	"jacquard/study/bind"
)

func ExampleVerdict_Sentence() {
	for _, v := range []bind.Verdict{bind.Runs, bind.MayRun, bind.Cannot} {
		fmt.Println(v+":", v.Sentence())
	}
	// Output:
	// runs: runs on the simulator under jacquard exec
	// may: no trace of libcuda in it: it uses the simulator only if something that it loads or starts asks for libcuda
	// cannot: cannot run on the simulator
}
