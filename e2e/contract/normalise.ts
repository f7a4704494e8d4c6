import { isObject } from "./matchers";

/** Keys whose values differ between runs. */
const VARYING_NUMBER_KEYS = /^(id|\w+_id|retry_after)$/;
const VARYING_TEXT_KEYS =
  /^(challenge|challenge_ref|secret|otpauth_url|qr_svg|last_four|certificate_code|certificate_id|version|id)$/;

/** Replaces values that differ between runs. Keeps only the names of `translations` and `versions`. */
export function maskVaryingValues(value: unknown, key = ""): unknown {
  if (typeof value === "number") return VARYING_NUMBER_KEYS.test(key) ? "<number>" : value;
  if (typeof value === "string") return VARYING_TEXT_KEYS.test(key) ? "<secret>" : normaliseText(value);
  if (Array.isArray(value)) return value.map((item) => maskVaryingValues(item, getItemKey(key)));
  if (!isObject(value)) return value;
  if (key === "translations") return Object.keys(value).sort();
  if (key === "versions") return Object.keys(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, maskVaryingValues(item, name)]),
  );
}

/** Recovery codes are secrets; items of other lists keep the key of their list. */
function getItemKey(key: string): string {
  return key === "recovery_codes" ? "secret" : key;
}

function normaliseText(value: string): string {
  return value
    .replace(/\bds[a-z]_[0-9A-Za-z*]+/g, "<token>")
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/g, "<moment>")
    .replace(/\b01[0-9A-HJKMNP-TV-Z]{24}\b/g, "<id>")
    .replace(/(https?:\/\/[^/\s:]+):\d+/g, "$1:<port>")
    .replace(/\b(10|127)\.\d+\.\d+\.\d+\b/g, "<address>")
    .replace(/\b\d+ dakika/g, "<minutes> dakika")
    .replace(/(App\\Models\\\w+\]) \d+$/, "$1 <number>");
}
