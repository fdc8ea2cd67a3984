package programs_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/study/programs"
)

func TestJudge(t *testing.T) {
	status := errors.New("exit status 1")
	for _, c := range []struct {
		name, output string
		err          error
		verdict      programs.Verdict
		reason       string
	}{
		{"passed", "[scan] test results...\nPASSED\n", nil, programs.Passed, ""},
		{"passed, older", "Test PASSED\n", nil, programs.Passed, ""},
		{"passed, in a sentence", "  reduction: PASSED \n", nil, programs.Passed, ""},
		{"passed in a session", "0.4(%) of bytes mismatched\n&&&& PASSED boxFilter -qatest\n", nil, programs.Passed, ""},
		{"failed in a session", "&&&& PASSED a -qatest\n&&&& FAILED boxFilter -qatest\n", nil, programs.Failed, "its own check fails"},
		{"passed and failed", "PASSED\nFAILED\n", nil, programs.Failed, "its own check fails"},
		{"passed with a status", "PASSED\n", status, programs.Failed, "exit status 1"},
		{"not a verdict", "tests PASSED so far: 0\n", nil, programs.Silent, "does not say that it passed"},
		{"failed", "FAILED\n", nil, programs.Failed, "its own check fails"},
		{"library", "./x: error while loading shared libraries: libglut.so.3: cannot open\n", status, programs.Absent, "needs libglut.so.3"},
		{"waived", "GPU does not meet: requires SM 2.0\n", nil, programs.Waived, "GPU does not meet: requires SM 2.0"},
		{"driver", "jacquard: module: no\nrequires SM 2.0\n", nil, programs.Failed, "jacquard: module: no"},
		{"error", "x.cu(3) : CUDA Runtime API error 3: initialization error.\n", status, programs.Failed, "x.cu(3) : CUDA Runtime API error 3: initialization error."},
	} {
		t.Run(c.name, func(t *testing.T) {
			verdict, reason := programs.Judge(c.output, c.err)
			require.Equal(t, c.verdict, verdict)
			require.Equal(t, c.reason, reason)
		})
	}
}
