package lane

import (
	"cmp"
	"os"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFind(t *testing.T) {
	_, err := Find("sse")
	require.EqualError(t, err, `unknown SIMD setting "sse": want off, avx2 or avx512`)
	require.ErrorAs(t, err, new(*UnknownSIMDError))
	off, err := Find(Off)
	require.NoError(t, err)
	require.Equal(t, Off, off.SIMD)
	best := hostSIMD()
	for i, name := range []string{Off, AVX2, AVX512} {
		k, err := Find(name)
		if err != nil {
			require.EqualError(t, err, "this processor cannot run "+name+": the most it can is "+best)
			require.ErrorAs(t, err, new(*MissingSIMDError))
			continue
		}
		require.Equal(t, name, k.SIMD)
		require.Equal(t, name, Sets()[i].SIMD)
	}
	require.Equal(t, best, Sets()[len(Sets())-1].SIMD)
}

// Tests compute with the set that "make matrix" asks for: the linker gives no error for a name
// without a variable.
func TestMatrix(t *testing.T) {
	k, err := Find("")
	require.NoError(t, err)
	require.Equal(t, cmp.Or(os.Getenv("JACQUARD_MATRIX"), hostSIMD()), k.SIMD)
}

func TestSetsAreComplete(t *testing.T) {
	for _, k := range Sets() {
		v := reflect.ValueOf(*k)
		for i := range v.NumField() {
			require.False(t, v.Field(i).IsZero(), "%s lacks %s", k.SIMD, v.Type().Field(i).Name)
		}
	}
}
