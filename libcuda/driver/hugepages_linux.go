package driver

import "syscall"

// preferHuge asks for huge pages, which are faster to fault in and to look up. The system may
// refuse: then pages are small.
func preferHuge(pages []byte) { _ = syscall.Madvise(pages, syscall.MADV_HUGEPAGE) }
