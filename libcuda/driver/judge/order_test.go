package judge

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/check"
)

// The order of work in streams is that of CUDA's programming guide.
func TestOrder(t *testing.T) {
	const ctx, a, b, alone, event = 1, 2, 3, 4, 5
	type step func(j *Judge)
	wait := func(s uintptr) step { return func(j *Judge) { j.StreamAwaited(ctx, s) } }
	record := func(s uintptr) step { return func(j *Judge) { j.EventRecorded(event, ctx, s) } }
	follow := func(s uintptr) step { return func(j *Judge) { j.StreamWaits(ctx, s, event) } }
	made := func(j *Judge) { j.StreamAlone(ctx, alone) }
	for _, c := range []struct {
		name      string
		first     uintptr // the stream of the first work
		between   []step
		second    uintptr
		after, do bool // the second work comes after the first; all work to come does
	}{
		{"one stream", a, nil, a, true, false},
		{"two streams", a, nil, b, false, false},
		{"the default stream first", 0, nil, a, true, true},
		{"the default stream second", a, nil, 0, true, true},
		{"the host waits", a, []step{wait(a)}, b, true, true},
		{"the host waits for another", a, []step{wait(b)}, b, false, false},
		{"the host waits for all", a, []step{func(j *Judge) { j.Awaited(ctx) }}, b, true, true},
		{"an event", a, []step{record(a), follow(b)}, b, true, false},
		{"an event of another stream", a, []step{record(b), follow(b)}, b, false, false},
		{"an event that the host waits for", a, []step{record(a), func(j *Judge) { j.EventAwaited(event, ctx) }}, b, true, true},
		{"a stream alone", 0, nil, alone, false, false},
		{"the default stream behind a stream alone", alone, nil, 0, false, false},
		{"the host waits for the default stream", alone, []step{wait(0)}, 0, false, false},
		{"the host waits for a stream alone", alone, []step{wait(alone)}, 0, true, true},
		{"an event of a stream alone", alone, []step{record(alone), follow(0)}, 0, true, false},
		{"beside a stream alone", 0, []step{made}, 0, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := New(check.All, func(check.Finding) {})
			if c.first == alone || c.second == alone {
				made(j)
			}
			first := j.Work(ctx, c.first)
			for _, do := range c.between {
				do(j)
			}
			second := j.Work(ctx, c.second)
			require.Equal(t, c.after, second.After[first.Stream] >= first.Number)
			require.Equal(t, c.do, second.Done[first.Stream] >= first.Number)
		})
	}
}
