const forgets: Array<() => void> = [];

/**
 * Makes a value on first use and keeps it. It is for what follows from the settings, the database or the storage: the
 * modules of the server hold such values here only, so that {@link forgetKept} drops them all.
 */
export function kept<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  forgets.push(() => {
    made = undefined;
  });
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Drops every kept value. A process serves one installation; tests serve several, one after the other. */
export function forgetKept(): void {
  for (const forget of forgets) forget();
}
