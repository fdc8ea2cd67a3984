package driver_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
)

func TestResults(t *testing.T) {
	require.Equal(t, driver.Success, driver.ResultOf(nil))
	require.Equal(t, driver.ErrNotFound, driver.ResultOf(driver.ErrNotFound))
	require.Equal(t, driver.ErrNotFound, driver.ResultOf(fmt.Errorf("kernel k: %w", driver.ErrNotFound)))
	require.Equal(t, driver.ErrUnknown, driver.ResultOf(errors.New("something else")))
	for r, name := range map[driver.Result]string{
		0: "CUDA_SUCCESS", 1: "CUDA_ERROR_INVALID_VALUE", 700: "CUDA_ERROR_ILLEGAL_ADDRESS", 719: "CUDA_ERROR_LAUNCH_FAILED", 999: "CUDA_ERROR_UNKNOWN",
	} {
		require.EqualError(t, r, name)
	}
	require.EqualError(t, driver.Result(12345), "CUresult 12345")
}
