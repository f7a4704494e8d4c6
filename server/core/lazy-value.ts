const resets: Array<() => void> = [];

/** Caches a value that depends on settings, database or storage, until {@link resetLazyValues}. */
export function lazyValue<T>(create: () => T): () => T {
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
export function resetLazyValues(): void {
  for (const reset of resets) reset();
}
