package page

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/stats/report/chromium"
)

func TestBrowserLook(t *testing.T) {
	b := chromium.Start(t, "../../../build/playground-pictures")
	b.Look(1440, 900, "light")
	path, err := filepath.Abs("../../../build/playground/index.html")
	require.NoError(t, err)
	b.Visit("file://" + path)
	t.Log(b.Complaints())
	b.Wait(`document.body.dataset.busy === "false"`)
	t.Log(b.Eval(`[firstResult, document.getElementById('status').textContent, document.getElementById('problem').textContent]`))
	t.Log(b.Complaints())
	b.Shot("first")
	t.Log(b.Eval(`document.querySelector('iframe').contentDocument.querySelector('.meters')?.textContent`))
	b.Eval(`scrollTo(0, 1200)`)
	b.Shot("first2")
	b.Eval(`scrollTo(0, 5000)`)
	b.Shot("first3")
}
