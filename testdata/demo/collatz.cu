// Counts the steps from a thread's number to 1. The lanes of a warp leave the loop one by one.
#define __global__ __attribute__((global))

extern "C" __global__ void collatz(unsigned *steps) {
    unsigned thread = __nvvm_read_ptx_sreg_tid_x(), number = thread + 1, count = 0;
    while (number != 1) {
        if (number % 2 == 0)
            number /= 2;
        else
            number = 3 * number + 1;
        count++;
    }
    steps[thread] = count;
}
