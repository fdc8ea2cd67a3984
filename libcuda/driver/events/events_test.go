package events_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver/events"
)

const before = `{"event":"init","pid":1,"version":6050,"devices":["c1060"],"policy":"nvidia"}
`

const record = `{"event":"init","pid":7,"version":6050,"devices":["gtx280"],"policy":"nvidia"}
{"event":"launch","pid":7,"kernel":"a","grid":[1,2],"block":[32,1,1],"warp_instructions":100,"thread_instructions":3000,"average_active_lanes":30,"exactness":{"verified":{"warp_instructions":60,"thread_instructions":1800},"documented":{"warp_instructions":40,"thread_instructions":1200},"unverified":{"warp_instructions":0,"thread_instructions":0}},"seconds":0.5,"result":"CUDA_SUCCESS"}
{"event":"launch","pid":7,"kernel":"b","grid":[1,1],"block":[32,1,1],"seconds":0,"result":"CUDA_ERROR_INVALID_VALUE","message":"no"}
{"event":"of tomorrow","kernel":7}
{"event":"launch","pid":7,"kernel":"a","grid":[1,1],"block":[32,1,1],"warp_instructions":300,"thread_instructions":3000,"average_active_lanes":10,"seconds":0.25,"result":"CUDA_SUCCESS"}
`

func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "events")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

func TestRead(t *testing.T) {
	r, err := events.ReadFrom(file(t, before+record), int64(len(before)))
	require.NoError(t, err)
	require.Len(t, r.Inits, 1)
	require.Equal(t, []string{"gtx280"}, r.Inits[0].Devices)
	require.Len(t, r.Launches, 3)
	require.Equal(t, [2]int{1, 2}, r.Launches[0].Grid)

	r, err = events.Read(file(t, before))
	require.NoError(t, err)
	require.Len(t, r.Inits, 1)
}

func TestReadErrors(t *testing.T) {
	_, err := events.Read(filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
	path := file(t, "{\n")
	_, err = events.Read(path)
	require.ErrorContains(t, err, path)
	_, err = events.Read(file(t, `{"event":"launch","pid":"x"}`))
	require.Error(t, err)
}

func TestKernels(t *testing.T) {
	r, err := events.Read(file(t, record))
	require.NoError(t, err)
	require.Equal(t, []events.Kernel{
		{Name: "a", Launches: 2, WarpInstructions: 400, ThreadInstructions: 6000, AverageLanes: 15, Seconds: 0.75,
			Exactness: events.Exactness{Verified: events.Executed{WarpInstructions: 60, ThreadInstructions: 1800}, Documented: events.Executed{WarpInstructions: 40, ThreadInstructions: 1200}}},
		{Name: "b", Launches: 1, Failed: 1},
	}, r.Kernels())
}

// Launches have one number in a run, whenever they end and whatever process they are of.
func TestInOrder(t *testing.T) {
	of := func(pid, number int) events.Launch { return events.Launch{PID: pid, Number: number} }
	r := &events.Record{Launches: []events.Launch{of(7, 1), of(5, 0), of(7, 0), of(5, 2), of(7, 2), of(5, 1)}}
	var order [][3]int
	for _, e := range r.InOrder() {
		order = append(order, [3]int{e.InRun, e.PID, e.Number})
	}
	require.Equal(t, [][3]int{{0, 7, 0}, {1, 7, 1}, {2, 7, 2}, {3, 5, 0}, {4, 5, 1}, {5, 5, 2}}, order)
	require.Empty(t, (&events.Record{}).InOrder())
}
