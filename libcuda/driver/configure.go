package driver

// Settings of later hardware are fixed on sm_1x: no cache competes with shared memory, shared
// memory has one bank width, kernels have neither a stack nor a heap, and streams have one
// priority.

// CtxGetFlags returns the flags the current context was made with.
func (t *Thread) CtxGetFlags() (ContextFlags, error) {
	return entered(t, func(c *context) (ContextFlags, error) { return c.flags, nil })
}

// CtxGetLimit answers ErrUnsupportedLimit: this hardware has none of the limits.
func (t *Thread) CtxGetLimit(limit Limit) (uint64, error) { return 0, t.limit(limit) }

// CtxSetLimit answers ErrUnsupportedLimit, as CtxGetLimit does.
func (t *Thread) CtxSetLimit(limit Limit, _ uint64) error { return t.limit(limit) }

func (t *Thread) limit(limit Limit) error {
	return t.configure(func() error {
		if limit < LimitStackSize || limit > LimitDevRuntimePendingLaunchCount {
			return ErrInvalidValue
		}
		return ErrUnsupportedLimit
	})
}

// CtxGetCacheConfig answers CachePreferNone.
func (t *Thread) CtxGetCacheConfig() (FuncCache, error) {
	return CachePreferNone, t.configure(func() error { return nil })
}

// CtxSetCacheConfig checks config, which changes nothing.
func (t *Thread) CtxSetCacheConfig(config FuncCache) error { return t.configure(config.check) }

// CtxGetSharedMemConfig answers SharedConfigFourByteBankSize.
func (t *Thread) CtxGetSharedMemConfig() (SharedConfig, error) {
	return SharedConfigFourByteBankSize, t.configure(func() error { return nil })
}

// CtxSetSharedMemConfig checks config, which changes nothing.
func (t *Thread) CtxSetSharedMemConfig(config SharedConfig) error { return t.configure(config.check) }

// CtxGetStreamPriorityRange answers 0 and 0: there are no priorities.
func (t *Thread) CtxGetStreamPriorityRange() (least, greatest int, err error) {
	return 0, 0, t.configure(func() error { return nil })
}

// FuncSetCacheConfig checks config, which changes nothing.
func (t *Thread) FuncSetCacheConfig(f Function, config FuncCache) error {
	return t.function(f, func(*context, *function) error { return config.check() })
}

// FuncSetSharedMemConfig checks config, which changes nothing.
func (t *Thread) FuncSetSharedMemConfig(f Function, config SharedConfig) error {
	return t.function(f, func(*context, *function) error { return config.check() })
}

// configure calls do if there is a current context.
func (t *Thread) configure(do func() error) error {
	c, err := t.enter()
	if err != nil {
		return err
	}
	defer c.mu.Unlock()
	return do()
}

func (c FuncCache) check() error {
	if c < CachePreferNone || c > CachePreferEqual {
		return ErrInvalidValue
	}
	return nil
}

func (c SharedConfig) check() error {
	if c < SharedConfigDefaultBankSize || c > SharedConfigEightByteBankSize {
		return ErrInvalidValue
	}
	return nil
}
