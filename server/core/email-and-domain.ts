import { normaliseEmail, replaceDottedI, toCompatible, trimInvisible } from "./normalise";

/* Email addresses and domains as text. Without zod, so that pages can use it. */

const ASCII_DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;

/** Non-ASCII characters not allowed in hosts; the URL parser would encode pasted quotation marks. */
const INVALID_NON_ASCII =
  /(?![\p{L}\p{M}\p{Nd}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{Default_Ignorable_Code_Point}\xB7\u0375\u05F3\u05F4\u3002\u30FB\uFF0E\uFF61])[^\0-\x7F]/u;
/** Number in the last label, as in an IP address, in non-ASCII digits. */
const NON_ASCII_NUMBER_LABEL = /(?<![^.\u3002\uFF0E\uFF61])(?=\d*[^\0-\x7F])\p{Nd}+$/u;

export function isDomain(value: string): boolean {
  const ascii = toAsciiHost(value);
  return ascii !== null && ascii.length <= 253 && ASCII_DOMAIN.test(ascii);
}

/** Returns a host name in lower case and punycode; null if invalid. */
export function toAsciiHost(name: string): string | null {
  if (ASCII_DOMAIN.test(name) && !name.includes("xn--")) return name;
  const domain = replaceDottedI(name);
  // The URL parser would decode or drop these characters, or end the host at them.
  if (
    /[/?#%@\\\s\p{Cc}]/u.test(domain) ||
    INVALID_NON_ASCII.test(domain) ||
    NON_ASCII_NUMBER_LABEL.test(domain)
  )
    return null;
  try {
    const { host } = new URL(`http://${domain}`);
    return host && isValidPunycode(host) ? host : null;
  } catch {
    return null;
  }
}

/** Validates punycode: Node.js 24 checks it only if the host also has a non-ASCII letter. */
function isValidPunycode(host: string): boolean {
  return !/(^|\.)xn--/.test(host) || URL.canParse(`http://ü.${host}`);
}

/** Returns the unique key of an address: NFKC, lower case (I becomes i), punycode, no trailing dot. */
export function toEmailKey(address: string): string {
  const normalised = normaliseEmail(address);
  const atIndex = normalised.lastIndexOf("@");
  const domain = normalised.slice(atIndex + 1);
  return `${normalised.slice(0, atIndex).toLowerCase()}@${(toAsciiHost(domain) ?? domain.toLowerCase()).replace(/\.$/, "")}`;
}

/** Suggests i for the dotless ı of Turkish keyboards if the local part is otherwise ASCII. */
export function suggestDottedSpelling(address: string): string | undefined {
  const atIndex = address.lastIndexOf("@");
  const local = address.slice(0, atIndex);
  const dottedLocal = local.replaceAll("ı", "i");
  return local !== dottedLocal && /^[\x21-\x7E]+$/.test(dottedLocal)
    ? dottedLocal + address.slice(atIndex)
    : undefined;
}

export function isPasswordOwnAddress(password: string, address: string): boolean {
  const guess = password.trim().toLowerCase();
  const key = toEmailKey(address);
  if (guess === "" || !address.includes("@")) return false;
  return [address.toLowerCase(), key, key.slice(0, key.lastIndexOf("@"))].includes(guess);
}

/** Tests whether the host of a URL is ASCII or a valid internationalised name. */
export function hasValidHost(url: string): boolean {
  const host = /^[a-z]+:\/\/(?:[^/?#@]*@)?([^/?#:]*)/i.exec(url)?.[1] ?? "";
  return /^[\0-\x7F]*$/.test(host) || toAsciiHost(host) !== null;
}

/** Returns the unique form of a site's domain; null if invalid. */
export function normaliseDomain(value: string): string | null {
  const host = trimInvisible(toCompatible(value))
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, "")
    .split(/[/?#]/)[0]!;
  if (/[\s@\\%<>"]/.test(host)) return null;
  const ascii = toAsciiHost(host.replace(/:\d{0,5}$/, "").replace(/\.$/, ""));
  return ascii && !ascii.endsWith(".localhost") && isDomain(ascii) ? ascii : null;
}
