package driver

// ProfilerOutput is the form of a profile.
type ProfilerOutput int

// The values of ProfilerOutput.
const (
	ProfilerKeyValuePair ProfilerOutput = 0
	ProfilerCSV          ProfilerOutput = 1
)

// ProfilerInitialize accepts the form of a profile. There is no profiler: nothing is written.
func (t *Thread) ProfilerInitialize(output ProfilerOutput) error {
	return t.configure(func() error {
		if output != ProfilerKeyValuePair && output != ProfilerCSV {
			return ErrInvalidValue
		}
		return nil
	})
}

// ProfilerStart does nothing, and may be repeated.
func (t *Thread) ProfilerStart() error { return t.configure(func() error { return nil }) }

// ProfilerStop does nothing, and may be repeated.
func (t *Thread) ProfilerStop() error { return t.configure(func() error { return nil }) }
