package cache

// unfollowed is nothing: a browser's program has no folder of entries.
const unfollowed = 0
