package main_test

import (
	"flag"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// soakRounds is the number of rounds of TestSoak; "make soak" runs a thousand.
var soakRounds = flag.Int("soak", 20, "rounds of TestSoak")

// TestSoak has eight threads make calls at once, round after round. Many rounds show that the
// process does not grow.
func TestSoak(t *testing.T) {
	exe := compile(t, "soak.c", "-std=gnu99")
	stdout, stderr, err := runFor(t, time.Hour, nil, exe, vecadd, strconv.Itoa(*soakRounds))
	require.NoError(t, err, "%s%s", stdout, stderr)
	require.Equal(t, "PASSED\n", stdout)
	t.Log(stderr)
}
