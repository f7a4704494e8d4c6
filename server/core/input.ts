import { trimmed } from "./normalise";

/** Valid input is never deeper; REST refuses it before it gets here. */
const MAX_DEPTH = 40;

/** Strings in these fields stay exactly as typed; `value` and `secret` may be a password. */
const VERBATIM = /password|^value$|^secret$/;

/**
 * Trims strings and turns empty ones into null, as clients of the contract expect from a Laravel API
 * (docs/contract.md 2.8). Passwords stay as they are. Transports and forms call it alike, before they parse. Throws a
 * RangeError for what is nested too deep.
 */
export function normaliseInput(value: unknown, field = "", depth = 0): unknown {
  if (depth > MAX_DEPTH) throw new RangeError("nested too deep");
  if (typeof value === "string") {
    if (VERBATIM.test(field)) return value;
    return trimmed(value) || null;
  }
  if (Array.isArray(value)) return value.map((item) => normaliseInput(item, field, depth + 1));
  if (value === null || typeof value !== "object") return value;
  const result: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value)) result[key] = normaliseInput(item, key, depth + 1);
  return result;
}
