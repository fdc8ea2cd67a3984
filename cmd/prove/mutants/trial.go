package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// outcome is the result of a fault.
type outcome string

// The outcomes.
const (
	own       outcome = "found by the package's own tests"
	elsewhere outcome = "found elsewhere"
	survived  outcome = "survived"
	broken    outcome = "does not compile"
	same      outcome = "compiles to the same code"
)

// changes reports whether the fault changed the program.
func (o outcome) changes() bool { return o != broken && o != same }

const (
	defaultLimit = 10 * time.Minute

	// A test may take this much longer with a fault than without it.
	slack  = time.Minute
	factor = 4

	// Bytes of address space of a test, so that a fault cannot use up the machine's memory.
	addressSpace = 64 << 30
)

// tester runs tests on changed code.
type tester struct {
	m       *module
	limit   time.Duration
	ownOnly bool                // run no tests of dependents
	folder  string              // of the changed file and the overlay
	sound   map[string]baseline // by package, once it is known
}

// baseline is a package without a fault.
type baseline struct {
	build string        // identifier of the compiled code
	took  time.Duration // by its own tests
}

// newTester makes a tester. Dependent packages' tests end after limit.
func newTester(m *module, limit time.Duration) (*tester, error) {
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &old); err != nil {
		return nil, err
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: min(addressSpace, old.Max), Max: old.Max}); err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "mutants")
	return &tester{m: m, limit: limit, folder: folder, sound: map[string]baseline{}}, err
}

func (t *tester) close() { os.RemoveAll(t.folder) }

// try plants a fault and notes the outcome. It returns an error if tests fail without the fault.
func (t *tester) try(f *fault) error {
	sound, err := t.baseline(f.Package)
	if err != nil {
		return err
	}
	overlay, err := t.overlay(f)
	if err != nil {
		return err
	}
	start := time.Now()
	defer func() { f.Seconds = time.Since(start).Seconds() }()
	build, err := t.build(f.Package, overlay)
	switch {
	case err != nil:
		f.Outcome = broken
		return nil
	case build == sound.build:
		f.Outcome = same
		return nil
	}
	if t.m.tests[f.Package] != nil && t.test(f.Package, overlay, slack+factor*sound.took) != nil {
		f.Outcome, f.By = own, f.Package
		return nil
	}
	dependents := t.m.dependents(f.Package)
	if t.ownOnly {
		dependents = nil
	}
	for _, pkg := range dependents {
		if t.test(pkg, overlay, t.limit) == nil {
			continue
		}
		if err := t.test(pkg, "", t.limit); err != nil {
			return fmt.Errorf("tests fail without the fault: %w", err)
		}
		f.Outcome, f.By = elsewhere, pkg
		return nil
	}
	f.Outcome = survived
	return nil
}

// baseline builds and tests a package without a fault.
func (t *tester) baseline(pkg string) (baseline, error) {
	if b, known := t.sound[pkg]; known {
		return b, nil
	}
	build, err := t.build(pkg, "")
	if err != nil {
		return baseline{}, err
	}
	start := time.Now()
	if t.m.tests[pkg] != nil {
		if err := t.test(pkg, "", t.limit, "-count=1"); err != nil {
			return baseline{}, fmt.Errorf("tests fail without a fault: %w", err)
		}
	}
	b := baseline{build, time.Since(start)}
	t.sound[pkg] = b
	return b, nil
}

// overlay writes the changed file and an overlay that replaces the file by it.
func (t *tester) overlay(f *fault) (string, error) {
	text, err := os.ReadFile(f.path)
	if err != nil {
		return "", err
	}
	changed, list := filepath.Join(t.folder, filepath.Base(f.path)), filepath.Join(t.folder, "overlay.json")
	if err := os.WriteFile(changed, f.change(text), 0o666); err != nil {
		return "", err
	}
	table, err := json.Marshal(map[string]map[string]string{"Replace": {f.path: changed}})
	if err != nil {
		return "", err
	}
	return list, os.WriteFile(list, table, 0o666)
}

// build compiles a package and returns the identity of the code.
func (t *tester) build(pkg, overlay string) (string, error) {
	out, err := t.command(overlay, "list", "-export", "-f", "{{.BuildID}}", pkg)
	// The content's identifier follows the identifier of the sources.
	_, content, _ := strings.Cut(strings.TrimSpace(string(out)), "/")
	return content, err
}

// test runs the tests of a package.
func (t *tester) test(pkg, overlay string, limit time.Duration, flags ...string) error {
	args := append([]string{"test", "-vet=off", "-failfast", "-timeout", limit.String()}, flags...)
	out, err := t.command(overlay, append(args, pkg)...)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// command runs the go command with an overlay, "" for none, and ends all processes that the command
// leaves behind.
func (t *tester) command(overlay string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = t.m.root
	cmd.Env = os.Environ()
	if overlay != "" {
		cmd.Env = append(cmd.Env, "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+overlay))
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = time.Second // for processes that hold the output open
	err := cmd.Start()
	if err != nil {
		return nil, err
	}
	err = cmd.Wait()
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	return out.Bytes(), err
}
