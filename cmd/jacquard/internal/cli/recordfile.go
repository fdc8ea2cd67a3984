package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"jacquard/cubin/plain"
	"jacquard/libcuda/bundle"
	"jacquard/libcuda/driver/knobs"
)

// recordTarget returns the record knob's value with an absolute path, because a program may change its folder; "" if there
// is none.
func recordTarget(s knobs.Settings) (string, error) {
	if s.Record == "" {
		return "", nil
	}
	return filepath.Abs(s.Record)
}

// setBundleAside moves away the bundle of an earlier run where the record knob wants one, so that it cannot pass for
// this run's. settle puts it back if nothing began, and else removes it.
func setBundleAside(knob string) (settle func(begun bool) error, err error) {
	nothing := func(bool) error { return nil }
	if knob == "" {
		return nothing, nil
	}
	path, _, err := bundle.ParsePath(knob)
	if err != nil || !isBundle(path) {
		return nothing, err
	}
	aside := fmt.Sprintf("%s.%d.old", path, os.Getpid())
	if err := os.Rename(path, aside); err != nil {
		return nothing, err
	}
	return func(begun bool) error {
		if begun {
			return os.Remove(aside)
		}
		return os.Rename(aside, path)
	}, nil
}

// finishRecord marks the bundle of a program that ended as finished, and says what it holds. A bundle for each process is
// left as it is.
func finishRecord(w io.Writer, knob string, status int, quiet bool) {
	path, _, err := bundle.ParsePath(knob)
	if knob == "" || err != nil || strings.Contains(path, "%p") {
		return
	}
	launches, err := bundle.Finish(path, bundle.Closing{Status: status})
	switch {
	case errors.Is(err, os.ErrNotExist):
		plain.Fprintf(w, "jacquard: there is no bundle: the program never started the simulator\n")
	case err != nil:
		plain.Fprintf(w, "jacquard: %s: %v\n", path, err)
	case !quiet:
		plain.Fprintf(w, "jacquard: %s: %s; jacquard replay runs them again\n", path, counted(launches, "launch", "launches"))
	}
}

// isBundle reports whether the file at path is a bundle.
func isBundle(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var start [16]byte
	_, err = io.ReadFull(f, start[:])
	return err == nil && bundle.Sniff(start[:])
}
