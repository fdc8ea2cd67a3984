package page_test

import (
	"fmt"

	"jacquard/study/playground"
	"jacquard/study/playground/page"
)

func ExampleLoad() {
	index := []byte(`<script type="application/json" id="loaded">null</script>`)
	with, err := page.Load(index, &playground.State{Text: ".module sm_10", Policies: []string{"nvidia"}})
	fmt.Println(string(with), err)
	// Output:
	// <script type="application/json" id="loaded">{"test":null,"text":".module sm_10","policies":["nvidia"]}</script> <nil>
}
