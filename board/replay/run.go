package replay

import (
	"errors"
	"io"
	"slices"

	"jacquard/observe/bundle"
)

// Runner runs launches.
type Runner interface {
	// Run runs l and returns the memory after it. It does not change l. An *[Uncomparable] error
	// says that this runner cannot run this launch; after any other error it cannot go on.
	Run(l *bundle.Launch) (*After, error)
}

// After is the memory and outcome of a launch.
type After struct {
	bundle.Outcome
	Memory [][]byte // as long as the launch's Memory; nil for an object that was not read
}

// Uncomparable says why a launch could not be run or compared.
type Uncomparable struct{ Reason string }

// Error gives the reason.
func (e *Uncomparable) Error() string { return e.Reason }

// Options configure Run.
type Options struct {
	Kernels []string            // only launches of these; empty for all
	First   int                 // only launches from this number on
	End     int                 // only launches before this number; 0 for all
	Each    func(*Result) error // called after every launch; an error ends the replay

	// Begin is called before the first launch runs; it may be nil. It returns what records the
	// launches and their present outputs, which may be nil. An error ends the replay.
	Begin func() (save *bundle.Recorder, err error)
}

// Result is the result of one launch.
type Result struct {
	Launch      *bundle.Launch // valid until the function that gets it returns
	Differences []Difference   // empty: the launch went as recorded
	Skipped     error          // why the launch was not compared, or nil
	Notes       []string       // memory left out of the comparison
}

// Total counts launches.
type Total struct {
	Same, Different, Skipped int
	Passed                   int // left out by Options; launches after the last chosen one are not read
}

// Run replays the bundle in in. The Total is valid even with an error: a *bundle.CutError for a
// recording that breaks off.
func Run(in *bundle.Reader, with Runner, o Options) (Total, error) {
	var total Total
	var saved *bundle.Recorder
	begin := o.Begin // nil once it was called
	within := 0      // launches from First to End
	for o.End == 0 || within < o.End-o.First {
		l, err := in.Next()
		if err == io.EOF {
			return total, nil
		}
		if err != nil {
			return total, err
		}
		if l.Number < o.First || o.End > 0 && l.Number >= o.End {
			total.Passed++
			continue
		}
		within++
		if len(o.Kernels) > 0 && !slices.Contains(o.Kernels, l.Kernel.Name) {
			total.Passed++
			continue
		}
		if begin != nil {
			if saved, err = begin(); err != nil {
				return total, err
			}
			begin = nil
		}
		r := &Result{Launch: l}
		after, err := with.Run(l)
		var cannot *Uncomparable
		switch {
		case errors.As(err, &cannot):
			r.Skipped = cannot
			total.Skipped++
		case err != nil:
			return total, err
		default:
			r.compare(after)
			save(saved, l, after)
			if len(r.Differences) == 0 {
				total.Same++
			} else {
				total.Different++
			}
		}
		if err := o.Each(r); err != nil {
			return total, err
		}
	}
	return total, nil
}

// save records l with its present outputs, unless r is nil.
func save(r *bundle.Recorder, l *bundle.Launch, after *After) {
	if r == nil {
		return
	}
	left := make([]*bundle.Object, len(l.Memory))
	for i, object := range l.Memory {
		left[i] = &bundle.Object{Kind: object.Kind, Address: object.Address, Bytes: object.Bytes, Slack: object.Slack}
		if i < len(after.Memory) && after.Memory[i] != nil {
			left[i].Bytes = after.Memory[i]
		}
	}
	r.Begin(l).End(left, after.Outcome)
}
