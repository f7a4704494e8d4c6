import * as z from "zod";
import { AppError } from "./errors";

type Values = Readonly<Record<string, unknown>>;

export const EXPECTED_DESCRIPTION =
  "Optimistic locking: `expected` contains the values that the caller last read. If the request would replace a value " +
  "that has changed since then, nothing is saved and the response is 409 with the `current` values.";

/** Field `expected` of an operation, for {@link rejectStaleChange}. */
export const expectedField = <T extends z.core.$ZodLooseShape>(shape: T) =>
  z.object(shape).optional().meta({
    description:
      "Values that the caller last read. The response is 409 if a value to replace has changed since then.",
  });

/**
 * Throws `stale` if a change would replace a value that the caller has not seen. A repeated call passes.
 * Call it while holding the lock of the record. `current` is null if there is no record.
 */
export function rejectStaleChange(
  expected: Values | null | undefined,
  { current, requested }: { current: Values | null; requested: Values },
): void {
  if (expected === undefined) return;
  const isUnchanged = (field: string) => isSameValue(getValue(current, field), getValue(requested, field));
  const isCurrent =
    expected === null
      ? current === null || Object.keys(requested).every(isUnchanged)
      : current !== null &&
        Object.keys(expected).every(
          (field) => isUnchanged(field) || isSameValue(getValue(current, field), getValue(expected, field)),
        );
  if (!isCurrent) throw new AppError("stale", { current: current && { ...current } });
}

/** Keys are user data and may collide with inherited properties. */
function getValue(values: Values | null, field: string): unknown {
  return values && Object.hasOwn(values, field) ? values[field] : null;
}

/** Compares normalised values: transports trim input and turn "" into null. */
function isSameValue(a: unknown, b: unknown): boolean {
  return JSON.stringify(toComparable(a)) === JSON.stringify(toComparable(b));
}

/** Sorts keys, because PostgreSQL reorders them in `jsonb`, and drops nulls. */
function toComparable(value: unknown): unknown {
  if (typeof value === "string") return value.trim() || null;
  if (Array.isArray(value)) return value.map(toComparable);
  if (typeof value !== "object" || value === null) return value ?? null;
  const entries = Object.entries(value).map(([key, part]) => [key, toComparable(part)] as const);
  return entries.filter(([, part]) => part !== null).sort(([a], [b]) => (a < b ? -1 : 1));
}
