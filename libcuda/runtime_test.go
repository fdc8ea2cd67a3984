package main_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Calls that runtime libraries have and cuda.h lacks.

func TestProcAddress(t *testing.T) {
	requirePassed(t, nil, compile(t, "procaddress.c", "-D_GNU_SOURCE"))
}

func TestExportTable(t *testing.T) {
	stderr := requirePassed(t, nil, compile(t, "exporttable.c"))
	require.Equal(t, "jacquard: cuGetExportTable: function 6 of table 1 is not known\n", stderr)
}
