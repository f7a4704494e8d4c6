import * as z from "zod";
import { AppError } from "./errors";

type Values = Readonly<Record<string, unknown>>;

/** The rule of a field `expected`, for the descriptions of operations that take one. */
export const EXPECTED_TEXT =
  "`expected` has the values the caller last saw: if a value to be replaced has changed since, nothing changes: 409 with the " +
  "`current` values.";

/** The field `expected` of an operation, for {@link requireExpected}. */
export const expectedValues = <T extends z.core.$ZodLooseShape>(shape: T) =>
  z
    .object(shape)
    .optional()
    .meta({ description: "Values the caller last saw; 409 if one of them has changed." });

/**
 * Throws `stale` when a change would replace a value that the caller has never seen. Call it under the lock of what is
 * written. Fields that the caller does not name are not compared; a value that the change leaves alone, or that is
 * already as wanted (a repeated call), is no conflict. Null stands for no record.
 */
export function requireExpected(
  expected: Values | null | undefined,
  { current, wanted }: { current: Values | null; wanted: Values },
): void {
  if (expected === undefined) return;
  const kept = (field: string) => same(valueAt(current, field), valueAt(wanted, field));
  const seen =
    expected === null
      ? current === null || Object.keys(wanted).every(kept)
      : current !== null &&
        Object.keys(expected).every(
          (field) => kept(field) || same(valueAt(current, field), valueAt(expected, field)),
        );
  if (!seen) throw new AppError("stale", { current: current && { ...current } });
}

/** Keys are data: a label may have a name that every object inherits. */
function valueAt(values: Values | null, field: string): unknown {
  return values && Object.hasOwn(values, field) ? values[field] : null;
}

/** Transports trim texts and turn empty ones into null, so that what they carried differs from what is stored. */
function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(plain(a)) === JSON.stringify(plain(b));
}

/** PostgreSQL orders the keys of an object in its own way; parts that are null may be left out. */
function plain(value: unknown): unknown {
  if (typeof value === "string") return value.trim() || null;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value ?? null;
  const parts = Object.entries(value).map(([key, part]) => [key, plain(part)] as const);
  return parts.filter(([, part]) => part !== null).sort(([a], [b]) => (a < b ? -1 : 1));
}
