package chromium

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/stretchr/testify/require"
)

// Event is an event of the browser's own tracing.
type Event struct {
	Name string
	Time float64 `json:"ts"` // in microseconds
	Args struct {
		Data struct {
			DocumentLoaderURL                        string
			IsLoadingMainFrame, IsOutermostMainFrame bool
		}
	}
}

// Trace returns the events of the browser's tracing while act runs, in the order of time: frames that
// it draws (DrawFrame), beginnings of pages (navigationStart) and marks of the page's script.
func (b *Browser) Trace(act func()) (all []Event) {
	b.T.Helper()
	b.Call("Tracing.start", map[string]any{"transferMode": "ReportEvents", "traceConfig": map[string]any{
		"includedCategories": []string{"blink.user_timing", "devtools.timeline.frame", "disabled-by-default-devtools.timeline.frame"},
	}}, nil)
	act()
	b.Call("Tracing.end", nil, nil)
	require.Eventually(b.T, func() bool { return len(b.received("Tracing.tracingComplete")) > 0 }, time.Minute, 10*time.Millisecond)
	for _, params := range b.received("Tracing.dataCollected") {
		var part struct{ Value []Event }
		require.NoError(b.T, json.Unmarshal(params, &part))
		all = append(all, part.Value...)
	}
	b.forget("Tracing.tracingComplete", "Tracing.dataCollected")
	slices.SortStableFunc(all, func(x, y Event) int { return int(x.Time - y.Time) })
	return all
}

// received returns the parameters of the events of a method.
func (b *Browser) received(method string) (all []json.RawMessage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.events {
		if e.Method == method {
			all = append(all, e.Params)
		}
	}
	return all
}

// forget drops the events of some methods.
func (b *Browser) forget(methods ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.events = slices.DeleteFunc(b.events, func(m message) bool { return slices.Contains(methods, m.Method) })
}
