import { compatible, emailText, trimmed, withoutDottedI } from "./normalise";

/* Addresses and domains as texts, without schemas: pages use these while somebody types. */

const ASCII_DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;

/**
 * Beyond ASCII, names have letters, marks, digits, emoji and the few marks that IDNA allows between letters. The parser
 * would encode quotation marks and arrows, too, which are pasted beside a name and not a part of it.
 */
const FOREIGN =
  /(?![\p{L}\p{M}\p{Nd}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{Default_Ignorable_Code_Point}\xB7\u0375\u05F3\u05F4\u3002\u30FB\uFF0E\uFF61])[^\0-\x7F]/u;
/** A number at the end, as in an IP address, in other digits than 0 to 9. */
const OTHER_NUMBER = /(?<![^.\u3002\uFF0E\uFF61])(?=\d*[^\0-\x7F])\p{Nd}+$/u;

/** Whether a text is a domain, in any script. */
export function isDomain(value: string): boolean {
  const ascii = toAscii(value);
  return ascii !== null && ascii.length <= 253 && ASCII_DOMAIN.test(ascii);
}

/** Returns a host name in lower case and punycode, or null when it is not one. */
export function toAscii(name: string): string | null {
  // Most are in their normal form, which the URL parser would not change.
  if (ASCII_DOMAIN.test(name) && !name.includes("xn--")) return name;
  const domain = withoutDottedI(name);
  // Characters the URL parser would decode, drop, or take for the end of the host.
  if (/[/?#%@\\\s\p{Cc}]/u.test(domain) || FOREIGN.test(domain) || OTHER_NUMBER.test(domain)) return null;
  try {
    // The URL parser applies IDNA. It also accepts numbers as IPv4 addresses, which are not domains here.
    const { host } = new URL(`http://${domain}`);
    return host && readsPunycode(host) ? host : null;
  } catch {
    return null;
  }
}

/** A parser may take punycode as it is where a whole name is ASCII (Node.js 24 does): beside a letter that is not, it reads it. */
function readsPunycode(host: string): boolean {
  return !/(^|\.)xn--/.test(host) || URL.canParse(`http://ü.${host}`);
}

/**
 * Returns the key by which addresses are unique: NFKC, lower case without a locale (never Turkish: `I` is `i`), the
 * domain in punycode without a trailing dot.
 */
export function emailKey(address: string): string {
  const normal = emailText(address);
  const at = normal.lastIndexOf("@");
  const domain = normal.slice(at + 1);
  return `${normal.slice(0, at).toLowerCase()}@${(toAscii(domain) ?? domain.toLowerCase()).replace(/\.$/, "")}`;
}

/**
 * Returns the address that was probably meant by one whose part before the `@` is ASCII but for the dotless ı of Turkish
 * keyboards; undefined for any other.
 */
export function dottedSpelling(address: string): string | undefined {
  const at = address.lastIndexOf("@");
  const local = address.slice(0, at);
  const dotted = local.replaceAll("ı", "i");
  return local !== dotted && /^[\x21-\x7E]+$/.test(dotted) ? dotted + address.slice(at) : undefined;
}

/** Whether a password is the account's own address, or the part of it before the `@`. */
export function isOwnAddress(password: string, address: string): boolean {
  const guess = password.trim().toLowerCase();
  const key = emailKey(address);
  if (guess === "" || !address.includes("@")) return false;
  return [address.toLowerCase(), key, key.slice(0, key.lastIndexOf("@"))].includes(guess);
}

/** Whether the host of a web address is ASCII, or a name in another script. Other parts are not looked at. */
export function hasWritableHost(url: string): boolean {
  const host = /^[a-z]+:\/\/(?:[^/?#@]*@)?([^/?#:]*)/i.exec(url)?.[1] ?? "";
  return /^[\0-\x7F]*$/.test(host) || toAscii(host) !== null;
}

/** The domain of a site in the one spelling that makes it unique; null for what is none. */
export function normaliseDomain(value: string): string | null {
  const host = trimmed(compatible(value))
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, "")
    .split(/[/?#]/)[0]!;
  if (/[\s@\\%<>"]/.test(host)) return null;
  const ascii = toAscii(host.replace(/:\d{0,5}$/, "").replace(/\.$/, ""));
  return ascii && !ascii.endsWith(".localhost") && isDomain(ascii) ? ascii : null;
}
