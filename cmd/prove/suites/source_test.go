package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A run is compared with one more run, with files of both and with the version for the CPU.
func TestSources(t *testing.T) {
	const cipher = `
[ $real ] || exit 0
case $1 in e) tr a-y b-z < $3 > output_0.dat;; d) tr b-z a-y < $3 > output_0.dat;; esac`
	s, in := scripts(t, map[string]string{
		"cipher": cipher, "clear": strings.Replace(cipher, "a-y b-z", "a-y a-y", 1),
		"option": `[ "$1" = -C ] && echo 1 || echo 1.0001`, "other": `[ "$1" = -C ] && echo 1 || echo 2`,
		"engine": "echo $JACQUARD_ENGINE", "same": "echo sum=1", "zero": "echo sum=0",
		"host": "echo 1; echo 2 > out", "hosts": "echo 1; echo 3 > out", "silent": "",
	})
	require.NoError(t, write(in.folder, "host.c", "#include <stdio.h>\nint main(void) { puts(\"1\"); fputs(\"2\\n\", fopen(\"out\", \"w\")); }\n"))
	onHost := func(p *program) *program { p.host = &host{sources: []string{"host.c"}}; return p }
	in.programs = []*program{
		script("cipher", decrypts()), script("clear", decrypts()),
		script("option", printsAsWith("-C", lastLine, floats)), script("other", printsAsWith("-C", lastLine, floats)),
		script("engine", sameOnReference(lastLine)), script("same", sameOnReference(lastLine)), script("zero", sameOnReference(lastLine)),
		onHost(script("host", both(printsAsHost(lastLine, floats), writesAsHost("out", tolerance{})))),
		onHost(script("hosts", both(printsAsHost(lastLine, floats), writesAsHost("out", tolerance{})))),
		onHost(script("silent", printsAsHost(between("from", "to"), floats))),
	}
	for _, p := range in.programs[:2] {
		p.args = list("e 128 text key")
		p.inputs = words("text", 9)
	}
	var b strings.Builder
	require.EqualError(t, s.judge(t.Context(), &b, []*suite{in}, nil), "not passed: clear other engine zero hosts silent", b.String())
	for _, reason := range []string{"encrypts nothing", "word 1 of 1 is 2, not 1", "prints sum=0", "word 1 of 1 is 3, not 2", `does not print "from"`} {
		require.Contains(t, b.String(), reason)
	}
	require.NotContains(t, b.String(), "the version for the CPU: does not compile")
}
