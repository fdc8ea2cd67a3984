package simt_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt"
)

func TestEngines(t *testing.T) {
	for _, c := range []struct {
		host simt.Host
		simd []string // one of these is the program's
		err  string
	}{
		{simt.Host{}, simt.SIMDs(), ""},
		{simt.Host{SIMD: "off"}, []string{"off"}, ""},
		{simt.Host{Engine: "interp"}, []string{"off"}, ""},
		{simt.Host{Engine: "reference"}, []string{"off"}, ""},
		{simt.Host{Engine: "interp", SIMD: "off"}, []string{"off"}, ""},
		{simt.Host{Engine: "translate", SIMD: "off"}, nil, "translate cannot run here: vector instructions are off"},
		{simt.Host{Engine: "fast"}, nil, `unknown engine "fast": want translate, interp or reference`},
		{simt.Host{SIMD: "sse"}, nil, `unknown SIMD setting "sse": want off, avx2 or avx512`},
	} {
		p, err := simt.Lower(simt.Kernel{Name: "k", Registers: 1, Host: c.host})
		if c.err != "" {
			require.EqualError(t, err, c.err)
			continue
		}
		require.NoError(t, err, c.host)
		require.Contains(t, c.simd, p.SIMD(), c.host)
	}
	for _, simd := range simt.SIMDs()[1:] {
		p, err := simt.Lower(simt.Kernel{Name: "k", Registers: 1, Host: simt.Host{Engine: simt.EngineTranslate, SIMD: simd}})
		require.NoError(t, err)
		require.Equal(t, simd, p.SIMD())
	}
}
