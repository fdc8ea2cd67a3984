package replay

import (
	"encoding/json"
	"os"
	"testing"

	"jacquard/observe/bundle"
	"jacquard/simt"
)

// FuzzEngine runs any launch that a bundle may describe: the answer is an outcome or an error.
func FuzzEngine(f *testing.F) {
	image, err := os.ReadFile("../../libcuda/driver/testdata/textures.cubin")
	if err != nil {
		f.Fatal(err)
	}
	for _, launch := range []string{
		`{"architecture":"sm_10","policy":"nvidia","grid":[1,1],"block":[1,1,1],"params":"0010000000000000","textures":[{"unit":2,"kind":"array","format":8,"channels":1,"linear":true,"width":4,"height":4,"array":7,"modes":[0,1,2]}]}`,
		`{"architecture":"sm_13","grid":[2,1],"block":[33,1,1],"shared":64,"params":"00100000","textures":[{"unit":2,"kind":"linear","format":32,"channels":1,"base":4096,"size":64}]}`,
		`{"architecture":"sm_12","grid":[1,1],"block":[8,2,1],"params":"00100000","textures":[{"unit":2,"kind":"pitched","format":1,"channels":4,"base":4096,"pitch":16,"width":4,"height":4}]}`,
		`{"architecture":"sm_10","grid":[1,1],"block":[1,1,1],"textures":[{"unit":2,"kind":"array","format":16,"channels":2,"layered":true,"width":2,"depth":2,"array":7,"normalized":true,"modes":[3,3,3]}]}`,
		`{"architecture":"sm_20"}`, `{"grid":[-1,0],"block":[1000,1000,1000],"shared":-1}`,
	} {
		f.Add([]byte(launch), uint32(0x1000), 64)
	}
	f.Fuzz(func(t *testing.T, launch []byte, address uint32, size int) {
		l := new(bundle.Launch)
		if json.Unmarshal(launch, l) != nil || size < 0 || size > 1<<16 || l.Grid[0]*l.Grid[1] > 16 {
			return
		}
		l.Kernel = &bundle.Kernel{Module: &bundle.Module{Image: image, Arch: "sm_10"}, Name: "sample", Textures: []string{"", "", "image"}}
		l.Memory = []*bundle.Object{
			{Kind: bundle.Allocation, Address: address, Bytes: make([]byte, size)},
			{Kind: bundle.Array, Address: 7, Bytes: make([]byte, 16)},
		}
		l.Outcome.Result = bundle.Success
		e := &Engine{Watchdog: 1000, Workers: 1, Host: simt.Host{SIMD: "off"}}
		after, err := e.Run(l)
		if err != nil {
			return
		}
		if len(after.Memory) != len(l.Memory) {
			t.Fatal("objects are missing")
		}
		r := &Result{Launch: l}
		r.compare(after)
		for i := range r.Differences {
			_ = r.Differences[i].String()
		}
	})
}
