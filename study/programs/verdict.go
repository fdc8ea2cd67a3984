package programs

import (
	"regexp"
	"strings"
)

// Verdict is the outcome of a program.
type Verdict string

// The verdicts.
const (
	Passed Verdict = "PASSED"
	Silent Verdict = "says nothing" // ended with status 0
	Failed Verdict = "failed"
	Waived Verdict = "waived" // the program says that the device lacks a feature
	Absent Verdict = "cannot start"
)

var (
	// The SDK's programs end their check with a line that is, or ends with, one of these words; with
	// -qatest, behind four ampersands.
	passLine  = regexp.MustCompile(`(?m)(^|[\s:>\]])(PASSED|Test passed!?|TEST PASSED)\s*$|^&&&& PASSED `)
	failLine  = regexp.MustCompile(`(?m)(^|[\s:>\]])(FAILED|Test failed!?|TEST FAILED)\b`)
	waiveLine = regexp.MustCompile(`(?mi)^.*(waived|not supported|requires (compute|a gpu|sm|cuda)|no cuda devices?|at least (two|2)|compute capability (2|3)).*$`)
	missing   = regexp.MustCompile(`error while loading shared libraries: ([^:]+)`)
	ours      = regexp.MustCompile(`(?m)^jacquard: .*$`)
	telling   = regexp.MustCompile(`(?mi)^.*(error|fail|mismatch|cannot|could not|unable|timed? out).*$`)
)

// Judge reads a program's output; err is the result of its process. A program passes if it says so,
// no line says the opposite, and its status is 0. The reason is the most telling line.
func Judge(output string, err error) (v Verdict, reason string) {
	said, denied := passLine.MatchString(output), failLine.MatchString(output)
	if said && !denied && err == nil {
		return Passed, ""
	}
	if m := missing.FindStringSubmatch(output); m != nil {
		return Absent, "needs " + m[1]
	}
	if line := ours.FindString(output); line != "" {
		return Failed, strings.TrimSpace(line)
	}
	if line := waiveLine.FindString(output); line != "" && !denied {
		return Waived, strings.TrimSpace(line)
	}
	for _, line := range telling.FindAllString(output, -1) {
		if !strings.Contains(line, "FAILED") {
			return Failed, strings.TrimSpace(line)
		}
	}
	switch {
	case err != nil:
		return Failed, err.Error()
	case denied:
		return Failed, "its own check fails"
	}
	return Silent, "does not say that it passed"
}
