/** Never trimmed, never kept as a draft. */
export const SECRET_FIELD = /password|secret|token|code/i;

/**
 * Form values as the server will read them: strings trimmed, empty ones null, passwords untouched. The check in
 * the browser then says what the server would say.
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
