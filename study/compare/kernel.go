package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"jacquard/internal/difference"
	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/table"
	"jacquard/simt"
	"jacquard/study/launch"
)

// Watch is told of the runs of a comparison. Its fields may be nil.
type Watch struct {
	Begin func(policy string) simt.Recorder // before a run; it may return nil
	End   func() error                      // after a run; an error ends the comparison
	Found io.Writer                         // for the reports of checkers; nil drops them
}

// Kernel runs j under each of the policies, on the first device of settings, and returns one row
// per policy. A policy that refuses the kernel, or under which it faults, gives a row too; the
// error is for failures that no policy causes. The error of ctx comes with the rows of the policies
// that ran.
func Kernel(ctx context.Context, settings knobs.Settings, j *launch.Job, policies []string, watch Watch) (rows []Row, err error) {
	var reference *launch.Result
	var under string
	settings.Device = cmp.Or(settings.Device, j.Device)
	values, err := settings.Parse()
	if err != nil {
		return nil, err
	}
	defer func() { // also of policies that refuse it
		i := slices.IndexFunc(rows, func(r Row) bool { return r.Arch != "" })
		for k := range rows {
			rows[k].Arch = rows[max(i, 0)].Arch
		}
	}()
	for _, policy := range policies {
		row := Row{Lead: table.New(policy, values.Models[0], "", j.Kernel, 0, j.Grid, j.Block), Outcome: Same}
		run := *j
		run.Recorder, run.Stdout, run.Stderr = nil, io.Discard, io.Discard
		if values.Check.Set != 0 && watch.Found != nil {
			run.Stderr = watch.Found
		}
		if watch.Begin != nil {
			run.Recorder = watch.Begin(policy)
		}
		settings.Policy = policy
		result, err := launch.Run(ctx, settings, &run, io.Discard)
		var failed *launch.Error
		var refused *simt.RefusedError
		switch {
		case ctx.Err() != nil:
			return rows, ctx.Err()
		case errors.As(err, &refused):
			row.Outcome, row.Reason = Refused, refused.Cause()
		case errors.As(err, &failed) && failed.Call == "cuCtxSynchronize":
			row.Outcome, row.Reason = Failed, failed.Error()
		case err != nil:
			return nil, err
		case reference == nil:
			reference, under = result, policy
		default:
			if row.Reason = firstDifference(j, result, reference, under); row.Reason != "" {
				row.Outcome = Differs
			}
		}
		if result != nil {
			row.add(&result.Launch, 0)
		}
		rows = append(rows, row)
		if watch.End == nil {
			continue
		}
		if err := watch.End(); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// firstDifference names the first word of a buffer that differs from the reference policy's, "" if
// all agree.
func firstDifference(j *launch.Job, got, want *launch.Result, under string) string {
	for i := range j.Params {
		name := j.Params[i].Name
		if j.Params[i].Buffer == nil {
			continue
		}
		if d := difference.Find(got.Buffers[name], want.Buffers[name]); d != nil {
			return fmt.Sprintf("buffer %s: word %d is 0x%08x, under %s 0x%08x; %d of %d words differ",
				name, d.Offset/4, d.Got, under, d.Want, d.Words, d.Total)
		}
	}
	return ""
}
