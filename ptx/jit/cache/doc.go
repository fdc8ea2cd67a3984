// Package cache keeps compiled code on disk, for all processes of a user.
//
// An entry is a file of its own, named after its key. Writers write another file and rename it, so
// a reader sees a whole entry or none; there are no locks. Every entry has a checksum: a damaged
// one is removed. Whatever fails (no folder, no rights, a full disk) only means that code is
// compiled again.
//
// Reading order: settings.go (where and how large), cache.go (Get and Put), entry.go (the file),
// evict.go (the least recently used go first).
package cache
