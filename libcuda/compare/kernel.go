package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"jacquard/libcuda/difference"
	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
	"jacquard/libcuda/launch"
	"jacquard/simt"
	"jacquard/simt/table"
)

// Kernel runs j under each of the policies, on the first device of settings, and returns one row
// per policy. A policy that refuses the kernel, or under which it faults, gives a row too; the
// error is for failures that no policy causes. Kernel calls begin before each run for a recorder,
// which may be nil.
func Kernel(ctx context.Context, settings knobs.Settings, j *launch.Job, policies []string, begin func(policy string) simt.Recorder) ([]Row, error) {
	var rows []Row
	var reference *launch.Result
	var under string
	settings.Device = cmp.Or(settings.Device, j.Device)
	values, err := settings.Parse()
	if err != nil {
		return nil, err
	}
	for _, policy := range policies {
		row := Row{Lead: table.New(policy, values.Models[0], "", j.Kernel, 0, j.Grid, j.Block), Outcome: Same}
		run := *j
		run.Recorder, run.Stdout, run.Stderr = begin(policy), io.Discard, io.Discard
		settings.Policy = policy
		result, err := launch.Run(ctx, settings, &run, io.Discard)
		var failed *launch.Error
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.As(err, &failed) && failed.Call == "cuLaunchKernel" && failed.Result == driver.ErrNotSupported:
			row.Outcome, row.Reason = Refused, refusal(failed.Reason)
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
	}
	if i := slices.IndexFunc(rows, func(r Row) bool { return r.Arch != "" }); i >= 0 {
		for k := range rows { // also of policies that refuse it
			rows[k].Arch = rows[i].Arch
		}
	}
	return rows, nil
}

// refusal cuts from the driver's words what a row says anyhow: which policy and kernel.
func refusal(message string) string {
	if _, reason, ok := strings.Cut(message, " cannot run this kernel: "); ok {
		return reason
	}
	return message
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
