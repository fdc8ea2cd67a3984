//go:build !js

package cache

import "syscall"

// unfollowed opens a file itself, not the target of a link, and waits for no writer.
const unfollowed = syscall.O_NONBLOCK | syscall.O_NOFOLLOW
