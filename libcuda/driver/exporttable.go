package driver

import "jacquard/simt/check"

// ExportTable is one of the function tables that runtime libraries ask the driver for, besides the
// calls in cuda.h. The behaviour of each function was observed with the runtime libraries 4.0 and
// 4.2, which need all four tables.
type ExportTable int

const (
	RuntimeInterface ExportTable = iota // fat binaries and primary contexts
	ToolHooks                           // buffers in which tools choose their notifications
	ToolStorage                         // per thread, for tools; no call has been seen
	ContextStorage                      // values that the runtime keeps with a context
	CallChecks                          // Jacquard's own: RuntimeFailed and ErrorAsked
)

// UUID names a table: 16 bytes in the order they have in memory.
type UUID [16]byte

// exportTables are the known tables by name.
var exportTables = map[UUID]ExportTable{
	{0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a, 0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9}: RuntimeInterface,
	{0xa0, 0x94, 0x79, 0x8c, 0x2e, 0x74, 0x2e, 0x74, 0x93, 0xf2, 0x08, 0x00, 0x20, 0x0c, 0x0a, 0x66}: ToolHooks,
	{0x42, 0xd8, 0x5a, 0x81, 0x23, 0xf6, 0xcb, 0x47, 0x82, 0x98, 0xf6, 0xe7, 0x8a, 0x3a, 0xec, 0xdc}: ToolStorage,
	{0xc6, 0x93, 0x33, 0x6e, 0x11, 0x21, 0xdf, 0x11, 0xa8, 0xc3, 0x68, 0xf3, 0x55, 0xd8, 0x95, 0x93}: ContextStorage,
	{0x4a, 0x51, 0x63, 0x68, 0x65, 0x63, 0x6b, 0x73, 0x9d, 0x11, 0x47, 0x5e, 0x2c, 0x80, 0xb6, 0x35}: CallChecks,
}

// GetExportTable returns the table called id. It works before Init. An unknown table is logged and
// answers ErrNotFound.
func (t *Thread) GetExportTable(id UUID) (ExportTable, error) {
	table, ok := exportTables[id]
	if !ok {
		// Unverified: the code that NVIDIA's driver answers for an unknown table.
		t.d.log.Info("cuGetExportTable: no table %x", id[:])
		return 0, ErrNotFound
	}
	if table == CallChecks && !(t.d.Checks() && t.d.judge.Has(check.KindAPI)) {
		return 0, ErrNotFound
	}
	return table, nil
}

// NoSuchEntry stands for every function of the export tables that no runtime has been seen to call.
// It logs the function and answers ErrNotSupported.
func (t *Thread) NoSuchEntry(table ExportTable, slot int) error {
	t.d.log.Once("cuGetExportTable: function %d of table %d is not known", slot, int(table)+1)
	return ErrNotSupported
}

// SetRuntimeFlags sets the flags of dev's primary context, present and future, because the runtime
// library retains the context before it asks the program for flags.
func (t *Thread) SetRuntimeFlags(dev Device, flags ContextFlags) error {
	device, err := t.device(dev)
	if err != nil {
		return err
	}
	if !flags.valid() {
		return ErrInvalidValue
	}
	t.d.mu.Lock()
	c := device.primary
	device.primaryFlags = flags
	t.d.mu.Unlock()
	if c != nil {
		c.mu.Lock()
		c.flags = flags
		c.mu.Unlock()
	}
	return nil
}

// EndRuntimeContext returns a context on behalf of the runtime library: everything in it is freed,
// its fault is cleared, and the handle stays good for the next time that the library makes it
// current.
//
// Unverified: whether hardware drivers do this at once. The runtime libraries 4.0 and 4.2 call it
// for cudaThreadExit, take the context off the thread, and later use the same handle again.
func (t *Thread) EndRuntimeContext(ctx Context) error {
	var c *context
	err := t.with(ctx, func(found *context) error {
		c = found
		return nil
	})
	if err == nil {
		c.reset()
	}
	return err
}
