const resets: Array<() => void> = [];

/**
 * Creates a value on first use and caches it. Module-level values that depend on settings, database or
 * storage must use this, so that {@link forgetKept} can reset them.
 */
export function kept<T>(create: () => T): () => T {
  let cached: { value: T } | undefined;
  resets.push(() => {
    cached = undefined;
  });
  return () => {
    cached ??= { value: create() };
    return cached.value;
  };
}

/** Resets all cached values, for tests that run several installations in one process. */
export function forgetKept(): void {
  for (const reset of resets) reset();
}
