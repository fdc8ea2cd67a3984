package knobs_test

import (
	"fmt"

	"jacquard/libcuda/driver/knobs"
)

func ExampleFrom() {
	environment := map[string]string{"JACQUARD_DEVICE": "c1060,gtx280", "JACQUARD_LOG": "loud"}
	s := knobs.From(func(name string) (string, bool) { v, given := environment[name]; return v, given })
	_, err := s.Parse()
	fmt.Println(err)
	s.Log = "info"
	v, err := s.Parse()
	fmt.Println(v.Models, v.Policy, err)
	// Output:
	// JACQUARD_LOG: unknown value "loud": want off, error or info
	// [c1060 gtx280] nvidia <nil>
}
