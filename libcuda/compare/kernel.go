package compare

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
	"jacquard/libcuda/launch"
	"jacquard/simt"
)

// Kernel runs j under each of the policies, on the first device that settings name, and
// returns a row for each. A policy that refuses the kernel, or under which it faults, is an
// answer; the error is for what has nothing to do with policies. Before each run begin is told
// of it and returns what observes it, nil for nothing.
func Kernel(ctx context.Context, settings knobs.Settings, j *launch.Job, policies []string, begin func(policy string) simt.Observer) ([]Row, error) {
	var rows []Row
	var reference *launch.Result
	var under string
	for _, policy := range policies {
		row := Row{Kernel: j.Kernel, Policy: policy, Outcome: Same}
		run := *j
		run.Observer = begin(policy)
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
			if row.Reason = difference(j, result, reference, under); row.Reason != "" {
				row.Outcome = Differs
			}
		}
		if result != nil {
			row.add(&result.Launch)
		}
		rows = append(rows, row)
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

// difference names the first word of a buffer that is not as under the reference policy, ""
// if there is none.
func difference(j *launch.Job, got, want *launch.Result, under string) string {
	for i := range j.Params {
		name := j.Params[i].Name
		g, w := got.Buffers[name], want.Buffers[name]
		if j.Params[i].Buffer == nil || bytes.Equal(g, w) {
			continue
		}
		g, w = padded(g), padded(w)
		first, differ := -1, 0
		for at := 0; at < len(w); at += wordBytes {
			if !bytes.Equal(g[at:at+wordBytes], w[at:at+wordBytes]) {
				differ++
				if first < 0 {
					first = at
				}
			}
		}
		return fmt.Sprintf("buffer %s: word %d is 0x%08x, under %s 0x%08x; %d of %d words differ", name, first/wordBytes,
			binary.LittleEndian.Uint32(g[first:]), under, binary.LittleEndian.Uint32(w[first:]), differ, len(w)/wordBytes)
	}
	return ""
}

const wordBytes = 4

// padded returns b made whole words by zeros at its end.
func padded(b []byte) []byte {
	return append(b[:len(b):len(b)], make([]byte, -len(b)&(wordBytes-1))...)
}
