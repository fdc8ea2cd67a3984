package ptx

// Order is how an access to memory is ordered with others. Without one, the access is weak.
type Order uint8

// The orders.
const (
	NoOrder Order = iota
	OrderWeak
	OrderRelaxed
	OrderAcquire
	OrderRelease
	OrderAcqRel
	OrderSC
	OrderMMIO
)

// MemScope is the set of threads that an ordered access to memory is ordered for.
type MemScope uint8

// The scopes of accesses.
const (
	NoScope MemScope = iota
	ScopeCTA
	ScopeCluster
	ScopeGPU
	ScopeSys
)

// CacheOp is advice to the caches about an access.
type CacheOp uint8

// The cache operations.
const (
	NoCache CacheOp = iota
	CacheAll
	CacheGlobal
	CacheStreaming
	CacheLastUse
	CacheVolatile
	CacheWriteBack
	CacheWriteThrough
)
