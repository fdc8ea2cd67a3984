package maze

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"

	"jacquard/simt"
	"jacquard/simt/branch"
)

// Policies returns every divergence policy with every combination of its options, as a
// launch takes them, the reference first.
func Policies() []string {
	list := []string{Reference}
	for _, s := range branch.Policies() {
		if s.Name != Reference {
			list = append(list, Variants(&s)...)
		}
	}
	return list
}

// Variants returns the scheme with every combination of its options.
func Variants(s *branch.Choice) []string {
	names := []string{s.Name}
	for i, o := range s.Options {
		mark := ","
		if i == 0 {
			mark = ":"
		}
		var longer []string
		for _, name := range names {
			for _, v := range o.Values {
				longer = append(longer, name+mark+o.Key+"="+v)
			}
		}
		names = longer
	}
	return names
}

// Report says how policies took a maze.
type Report struct {
	Refused map[string]string // by policy, why it does not run the maze
	Failed  []*Failure        // the policies that did wrong
}

// Failure is a policy that led threads of a maze astray.
type Failure struct {
	Maze   *Maze
	Policy string
	Kind   simt.FaultKind // how the launch ended, 0 if well
	Reason string
}

// Error names the policy and the seed.
func (f *Failure) Error() string {
	return fmt.Sprintf("divergence policy %s, %s maze of seed %d: %s", f.Policy, f.Maze.Style, f.Maze.Seed, f.Reason)
}

// Check runs a maze under each of the policies and compares it with each thread walked
// alone, and with itself, run without an observer on several cores. If the maze itself is
// wrong, that is all it reports, under the reference's name.
func Check(m *Maze, policies []string) Report {
	report := Report{Refused: map[string]string{}}
	fail := func(policy string, err error) Report {
		failure := &Failure{Maze: m, Policy: policy, Reason: err.Error()}
		var f *simt.Fault
		if errors.As(err, &f) {
			failure.Kind = f.Kind
		}
		report.Failed = append(report.Failed, failure)
		return report
	}
	p, err := m.Program()
	if err != nil {
		return fail(Reference, err)
	}
	want, err := m.Alone()
	if err != nil {
		return fail(Reference, err)
	}
	for _, policy := range policies {
		err := m.hold(p, policy, want)
		if reason, refused := Refusal(err); refused {
			report.Refused[policy] = reason
			continue
		}
		if err != nil {
			report = fail(policy, err)
		}
	}
	return report
}

// hold runs the maze under a policy and returns an error if anything is not as it must be. A
// panic is an error too, so that the maze that brings it about can be named.
func (m *Maze) hold(p *simt.Program, policy string, want *Outcome) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	got, err := m.Run(p, policy)
	if err != nil {
		return err
	}
	if err := got.right(want); err != nil {
		return err
	}
	return m.unwatched(p, policy, got)
}

// right returns an error if o is not what the reference left, or if the maze was taken for
// code that relies on lanes running in step: none does.
func (o *Outcome) right(want *Outcome) error {
	if err := o.Paths.Same(want.Paths); err != nil {
		return err
	}
	if !bytes.Equal(o.Memory, want.Memory) {
		return errors.New("every thread keeps its path, but memory differs")
	}
	if o.Stats.InStep != nil {
		return fmt.Errorf("taken for code that needs lanes in step: %s", o.Stats.InStep)
	}
	return nil
}

// unwatched returns an error if the maze leaves or counts anything else when nobody watches.
func (m *Maze) unwatched(p *simt.Program, policy string, want *Outcome) error {
	got, err := m.fast(p, policy)
	if err != nil {
		return fmt.Errorf("when nobody watches: %w", err)
	}
	if !bytes.Equal(got.Memory, want.Memory) {
		return errors.New("memory differs when nobody watches")
	}
	counted, expected := *got.Stats, *want.Stats
	counted.Elapsed, expected.Elapsed = 0, 0
	if !reflect.DeepEqual(counted, expected) {
		return errors.New("counts differ when nobody watches")
	}
	return nil
}
