package main_test

import (
	"flag"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// sameAt32Bits are the tests that run no programs, or whose programs do not test the library.
const sameAt32Bits = "^(TestCPlusPlus|TestCrosscheck(Finds|GoesOn|Programs|Refuses|StandIn)|TestHeaderCompiles|TestHost|TestRenames|TestReport)$"

// Test32Bit runs the other tests again, with a 32-bit library and 32-bit programs.
func Test32Bit(t *testing.T) {
	if narrow() {
		t.Skip("this is the run with 32-bit programs")
	}
	if runtime.GOARCH != "amd64" {
		t.Skipf("32-bit programs are for x86: this is %s", runtime.GOARCH)
	}
	const program = "#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n"
	compile := exec.Command(compiler(t, "CC", "cc"), "-m32", "-xc", "-", "-o", t.TempDir()+"/probe")
	compile.Stdin = strings.NewReader(program)
	if out, err := compile.CombinedOutput(); err != nil {
		t.Skipf("the C compiler makes no 32-bit programs: install gcc-multilib: %v %.200s", err, out)
	}
	args := []string{"-test.skip=" + sameAt32Bits, "-test.timeout=" + (10 * time.Minute).String()}
	if *update {
		args = append(args, "-update")
	}
	if run := flag.Lookup("test.run").Value.String(); run != "" && !strings.Contains(run, "32Bit") {
		args = append(args, "-test.run="+run)
	}
	command := exec.Command(os.Args[0], args...)
	command.Env = append(os.Environ(), "GOARCH=386")
	out, err := command.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
