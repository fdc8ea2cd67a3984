package decoder

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/tesla"
)

func TestEncodeVectors(t *testing.T) {
	for _, name := range []string{"decode-vectors.csv.gz", "wild-vectors.csv.gz"} {
		n, diff := 0, 0
		for _, v := range readVectors(t, name) {
			for i, x := range variants {
				if v.status[i] == 'x' || v.status[i] == 'X' {
					continue
				}
				in := Decode(x.arch, v.w0, v.w1)
				w0, w1, err := Encode(x.arch, in)
				require.NoError(t, err, "%08x %08x %s %s %v", v.w0, v.w1, x.name, in, in.Form)
				back := Decode(x.arch, w0, w1)
				require.Equal(t, in.Form, back.Form)
				back.Raw = in.Raw
				require.Equal(t, in, back)
				if (v.status[i] == 'o' || name[0] == 'w') && i == 2 && (v.kind == "wild" && name[0] == 'w' || v.kind == "cubin") {
					n++
					if w0 != v.w0 || w1 != v.w1 {
						if diff++; diff < 60 {
							t.Logf("%08x %08x -> %08x %08x %c %s", v.w0, v.w1, w0, w1, v.status[i], in)
						}
					}
				}
			}
		}
		t.Log(name, n, diff)
	}
}

var _ = tesla.OK
