package library_test

import "testing"

func TestDouble(t *testing.T) {
	for _, r := range roundings {
		for _, op := range []string{"div", "rcp", "sqrt"} {
			checkInstruction(t, op+"_"+r.name+"_f64", op+"."+r.name+".f64")
		}
	}
}
