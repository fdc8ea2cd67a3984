package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"jacquard/cmd/internal/page"
	"jacquard/study/programs"
)

// judge builds and runs programs of suites, all programs or only named ones, and prints each row
// when it is ready. judge fails if a required or named program fails.
func (s *setup) judge(ctx context.Context, w io.Writer, chosen []*suite, names []string) error {
	if err := s.unpack(); err != nil {
		return err
	}
	var missed []string
	for _, in := range chosen {
		in.library = sync.OnceValues(func() ([]string, error) { return s.buildCommon(ctx, in) })
		rows := map[string]string{}
		fmt.Fprint(w, header)
		for _, p := range in.programs {
			if len(names) > 0 && !slices.Contains(names, p.name) {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			o := s.outcome(ctx, in, p)
			rows[p.name] = o.row()
			fmt.Fprint(w, rows[p.name])
			if !o.passed() && (p.required || len(names) > 0) {
				missed = append(missed, p.name)
			}
		}
		fmt.Fprintln(w)
		if s.page != "" {
			if err := insert(s.page, in, rows); err != nil {
				return err
			}
		}
	}
	if len(missed) > 0 {
		return fmt.Errorf("not passed: %s", strings.Join(missed, " "))
	}
	return nil
}

// outcome is a row of the table.
type outcome struct {
	*trial
	err     error // the reason of a failure
	control string
}

// outcome builds and runs a program.
func (s *setup) outcome(ctx context.Context, in *suite, p *program) *outcome {
	path, err := s.build(ctx, in, p)
	o := &outcome{trial: s.newTrial(ctx, in, p, path, "run"), err: err}
	if err != nil || p.proof.check == nil {
		return o
	}
	o.err = o.try()
	if !s.control || o.err != nil || !o.launched() {
		return o
	}
	control := s.newTrial(ctx, in, p, path, "control")
	control.idle = true
	// A program may wait for its kernels without end.
	control.limit = min(s.limit, 30*time.Second+10*o.result.Elapsed).Round(time.Second)
	err = control.try()
	switch {
	case control.launched():
		o.err = fmt.Errorf("the control does not reach its launches")
	case err != nil:
		o.control = "rejected: " + short(err.Error())
	default:
		o.control, o.err = "accepted", fmt.Errorf("its proof accepts kernels that do nothing")
	}
	return o
}

// passed reports whether the result proves something: a program that runs must launch kernels.
func (o *outcome) passed() bool {
	return o.err == nil && (o.launched() || o.proof.check == nil)
}

func (o *outcome) row() string {
	name := "`" + o.name + "`"
	if o.required {
		name += ", required"
	}
	result, reason := "passed", ""
	switch {
	case o.err != nil:
		result, reason = "**failed**", short(o.err.Error())
	case !o.passed():
		result = "passed, no kernel"
	}
	args, launches, warps, seconds := "", "", "", ""
	if len(o.args) > 0 {
		args = "`" + strings.Join(o.args, " ") + "`"
	}
	if sum := o.sum(); sum.Elapsed > 0 {
		launches, warps = fmt.Sprint(len(sum.Launches)), fmt.Sprint(sum.WarpInstructions())
		seconds = fmt.Sprintf("%.1f", sum.Elapsed.Seconds())
	}
	return page.Row(name, args, o.proof.text, result, launches, warps, seconds, o.control, reason)
}

// short returns the beginning of a message, in a form for a table's cell.
func short(message string) string {
	return programs.Short(strings.Join(strings.Fields(strings.ReplaceAll(message, "|", "/")), " "), 120)
}
