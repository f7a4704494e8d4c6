/** Fields that are never trimmed and never kept in a draft. */
export const SECRET_FIELD = /password|secret|token|code/i;

/**
 * Normalises form values like the server: strings trimmed, empty ones null, passwords untouched, so that the
 * browser's validation agrees with the server's.
 */
export function normalise(value: unknown, field = ""): unknown {
  if (typeof value === "string") {
    if (/password/i.test(field)) return value;
    return value.trim() || null;
  }
  if (Array.isArray(value)) return value.map((item) => normalise(item, field));
  if (value === null || typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, normalise(item, key)]));
}
