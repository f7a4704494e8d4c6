/** Strings in these fields are taken exactly as typed. */
const VERBATIM = /password/;

/**
 * Laravel's habit, which the contract's clients rely on: strings are trimmed, empty ones are null
 * (decisions: D0). Passwords stay as they are.
 */
export function normaliseInput(value: unknown, field = ""): unknown {
  if (typeof value === "string") {
    if (VERBATIM.test(field)) return value;
    const trimmed = value.trim();
    return trimmed === "" ? null : trimmed;
  }
  if (Array.isArray(value)) return value.map((item) => normaliseInput(item, field));
  if (value === null || typeof value !== "object") return value;
  const result: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value)) result[key] = normaliseInput(item, key);
  return result;
}
