package maze

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"reflect"

	"jacquard/simt"
)

// Report is the outcome of a maze under several policies.
type Report struct {
	Refused map[string]string // by policy, the reason
	Failed  []*Failure
}

// Failure is an error of a policy in a maze.
type Failure struct {
	Maze   *Maze
	Policy string
	Kind   simt.FaultKind // of the fault that ended the launch, 0 if none
	Reason string
}

// Error names the policy and the seed.
func (f *Failure) Error() string {
	return fmt.Sprintf("divergence policy %s, %s maze of seed %d: %s", f.Policy, f.Maze.Style, f.Maze.Seed, f.Reason)
}

// Check runs a maze under each of the policies and compares it with each thread walked
// alone, with the issues that follow from the written rules of some policies, and with a run of it
// without an observer on several cores. An error of the maze itself is
// reported alone, under the name of the reference.
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
		err := m.check(p, policy, want)
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

// check runs the maze under a policy and returns an error if the outcome differs from want. A
// panic is an error too, so that the maze is named.
func (m *Maze) check(p *simt.Program, policy string, want *Outcome) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	got, err := m.Run(p, policy)
	if err != nil {
		return err
	}
	if err := got.Paths.Same(want.Paths); err != nil {
		return err
	}
	if !bytes.Equal(got.Memory, want.Memory) {
		return errors.New("every thread keeps its path, but memory differs")
	}
	if got.Stats.InStep != nil { // no maze relies on lanes running in lockstep
		return fmt.Errorf("taken for code that needs lanes in step: %s", got.Stats.InStep)
	}
	if err := cmp.Or(m.checkRules(policy, want, got), m.checkPacked(policy, want)); err != nil {
		return err
	}
	return m.unobserved(p, policy, got)
}

// unobserved returns an error if the maze leaves or counts anything else without an observer, with
// blocks that run at the same time.
func (m *Maze) unobserved(p *simt.Program, policy string, want *Outcome) error {
	got, err := m.run(p, policy, func(l *simt.Launch) {
		l.InStep, l.Workers, l.Watchdog = simt.InStepOff, m.Grid, 0
	})
	if err != nil {
		return fmt.Errorf("without an observer: %w", err)
	}
	if !bytes.Equal(got.Memory, want.Memory) {
		return errors.New("memory differs without an observer")
	}
	counted, expected := *got.Stats, *want.Stats
	counted.Elapsed, expected.Elapsed = 0, 0
	if !reflect.DeepEqual(counted, expected) {
		return errors.New("counts differ without an observer")
	}
	return nil
}
