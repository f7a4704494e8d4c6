import { trimInvisible } from "./normalise";

const MAX_DEPTH = 40;

/** Fields that are not trimmed: `value` and `secret` may contain a password. */
const UNTRIMMED_FIELDS = /password|^value$|^secret$/;

/** Trims strings and turns "" into null (docs/contract.md 2.8). Throws RangeError beyond 40 levels. */
export function normaliseInput(value: unknown, field = "", depth = 0): unknown {
  if (depth > MAX_DEPTH) throw new RangeError("nested too deep");
  if (typeof value === "string") {
    if (UNTRIMMED_FIELDS.test(field)) return value;
    return trimInvisible(value) || null;
  }
  if (Array.isArray(value)) return value.map((item) => normaliseInput(item, field, depth + 1));
  if (value === null || typeof value !== "object") return value;
  const result: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value)) result[key] = normaliseInput(item, key, depth + 1);
  return result;
}
