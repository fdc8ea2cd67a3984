package report

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBrowser(t *testing.T) {
	b := browse(t)
	var page bytes.Buffer
	require.NoError(t, read(t, mesa(t, "matmul", "reduce", "collatz", "calls", "mandelbrot", "scan", "vecadd", "matmul", "crc32", "nested", "sfumix", "histogram")).Write(&page))
	b.look(1440, 900, "light")
	b.open(page.Bytes())
	b.shot("overview-light")
	b.eval(`location.hash = '#k1'`)
	b.wait(`document.querySelector('#k1').classList.contains('current')`)
	b.key("j")
	b.shot("kernel-light")
	b.eval(`document.querySelector('#k1 .toolbar').scrollIntoView()`)
	b.shot("code-light")
	b.look(1440, 900, "dark")
	b.shot("code-dark")
	b.key("o")
	b.wait(`document.querySelector('#overview').classList.contains('current')`)
	b.shot("overview-dark")
	require.Empty(t, b.complaints())
}
