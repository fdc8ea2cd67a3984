package sanitizer

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestArguments(t *testing.T) {
	for _, c := range []struct{ name, args, want string }{
		{Sanitizer, "./a", "check --format compute-sanitizer --checks memory,api --error-exitcode 0 --output - --notes -- ./a"},
		{Sanitizer, "--tool racecheck ./a --tool x -h", "check --format compute-sanitizer --checks race --error-exitcode 0 --output - --notes -- ./a --tool x -h"},
		{Sanitizer, "--tool=initcheck --racecheck-detect-level error -- ./a -v", "check --format compute-sanitizer --checks init --error-exitcode 0 --output - -- ./a -v"},
		{Sanitizer, "--tool synccheck --print-limit 0 --log-file l ./a", "check --format compute-sanitizer --checks sync --error-exitcode 0 --output l --notes --limit 0 -- ./a"},
		{Sanitizer, "--leak-check full --report-api-errors no --error-exitcode 7 --show-backtrace yes ./a", "check --format compute-sanitizer --checks memory,leak --error-exitcode 7 --output - --notes -- ./a"},
		{Sanitizer, "--kernel-name kne=k,kns=red --kernel-regex-exclude regex=^x ./a",
			"check --format compute-sanitizer --checks memory,api --error-exitcode 0 --output - --notes --kernel k --kernel *red* --kernel-exclude /^x/ -- ./a"},
		{Memcheck, "--padding 64 ./a", "check --format cuda-memcheck --checks memory,api --error-exitcode 0 --output - --notes --padding 64 -- ./a"},
		{Sanitizer, "--suppressions s.xml ./a", "check --format compute-sanitizer --checks memory,api --error-exitcode 0 --output - --notes --suppressions s.xml -- ./a"},
		{Memcheck, "--filter kernel_substring=red -f kne=k ./a", "check --format cuda-memcheck --checks memory,api --error-exitcode 0 --output - --notes --kernel *red* --kernel k -- ./a"},
	} {
		got, done, err := Arguments(c.name, strings.Fields(c.args), nil)
		require.NoError(t, err, c.args)
		require.False(t, done)
		require.Equal(t, c.want, strings.Join(got, " "))
	}
}

func TestErrors(t *testing.T) {
	for args, want := range map[string]string{
		"":                                 "no program to run; --help lists the options",
		"--tool memcheck":                  "no program to run; --help lists the options",
		"--tool drcheck ./a":               "--tool drcheck: want memcheck, racecheck, initcheck or synccheck",
		"--leak-check yes ./a":             "--leak-check yes: want full or no",
		"--save f ./a":                     "--save: not supported: jacquard check --json writes a report to a file",
		"--xml yes ./a":                    "--xml: not supported: jacquard check writes --json, --sarif and --junit",
		"--padding=much ./a":               "--padding much: want a number",
		"--error-exitcode x ./a":           "--error-exitcode x: want a number",
		"--log-file l%p ./a":               "--log-file l%p: % is not supported: one report has the findings of all processes",
		"--racecheck-report hazard ./a":    "--racecheck-report hazard: want analysis",
		"--kernel-name k ./a":              "--kernel-name k: want kne=NAME or kns=PART",
		"--filter kns=x ./a":               "--filter: unknown option; --help lists the options",
		"--destroy-on-device-error kernel": "no program to run; --help lists the options",
		"--generate-coredump yes ./a":      "--generate-coredump: unknown option; --help lists the options",
	} {
		_, _, err := Arguments(Sanitizer, strings.Fields(args), nil)
		require.EqualError(t, err, want, args)
	}
}

func TestHelp(t *testing.T) {
	for _, name := range []string{Sanitizer, Memcheck} {
		var out bytes.Buffer
		_, done, err := Arguments(name, []string{"--help"}, &out)
		require.NoError(t, err)
		require.True(t, done)
		require.Contains(t, out.String(), name+" [options] PROGRAM [arguments]\n")
		require.Contains(t, out.String(), "not supported: jacquard check writes --json, --sarif and --junit")
	}
}
