package chromium_test

import (
	"testing"

	"jacquard/internal/test/chromium"
)

func ExampleStart() {
	use := func(t *testing.T) {
		b := chromium.Start(t, "build/pictures")
		b.Look(1440, 900, "dark")
		b.Open([]byte("<h1>A page</h1>"))
		b.Shot("page")
	}
	_ = use
}
