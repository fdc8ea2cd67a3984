// Launches that succeed and do nothing: the negative control of cmd/prove/suites. Programs load this
// library before the runtime, so that they find these functions first.

// The launch of CUDA 7.0 and later, and that of older releases.
int cudaLaunchKernel(const void *function, ...) { return 0; }
int cudaLaunch(const void *function) { return 0; }

// The launches of the driver, for programs that call it themselves.
int cuLaunchKernel(void *function, ...) { return 0; }
int cuLaunch(void *function) { return 0; }
int cuLaunchGrid(void *function, int width, int height) { return 0; }
int cuLaunchGridAsync(void *function, int width, int height, void *stream) { return 0; }
