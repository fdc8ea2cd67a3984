// The C side of the interrupt key.
#ifndef JACQUARD_INTERRUPT_H
#define JACQUARD_INTERRUPT_H

// jacquard_interrupt_is_default tells whether the program has left SIGINT alone, so that it would end the process.
int jacquard_interrupt_is_default(void);

#endif
