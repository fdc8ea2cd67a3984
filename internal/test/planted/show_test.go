package planted

import (
	"flag"
	"testing"
)

var show = flag.Bool("planted-show", false, "show the kernels of the first seed, and what is found in them")

func TestShow(t *testing.T) {
	if !*show {
		t.Skip("without -planted-show")
	}
	each := func(k *Kernel, what string) {
		found, err := k.run(policy(*first))
		t.Logf("%s: grid %d, block %v, %d launches\n%s", what, k.grid, k.shape, k.launches, k.Text())
		t.Log(k.judge(), err)
		for i := range found {
			t.Log(pairs(&found[i]), &found[i])
		}
	}
	each(New(*first), "right")
	if k, mistake, _ := Planted(*first); k != nil {
		each(k, mistake)
	}
}
