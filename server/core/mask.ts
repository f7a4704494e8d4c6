/** `a***z@g***.com`: enough for people to recognise their own address. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  const dot = domain.lastIndexOf(".");
  const ends = [...local];
  const shown = ends.length > 2 ? `${ends[0]}***${ends.at(-1)}` : `${ends[0]}***`;
  return `${shown}@${[...domain][0]}***${dot > 0 ? domain.slice(dot) : ""}`;
}

const ADDRESS = /[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+\.[\p{L}\d-]+/gu;
const TELEPHONE = /\+\d{8,15}(?!\d)/g;

/** Masks every e-mail address and international telephone in a value, those in `known` excepted. */
export function maskStrangers(value: unknown, known: readonly string[]): unknown {
  const masked = (mask: (text: string) => string) => (found: string) =>
    known.includes(found) ? found : mask(found);
  const walk = (each: unknown): unknown => {
    if (typeof each === "string")
      return each.replace(ADDRESS, masked(maskEmail)).replace(TELEPHONE, masked(maskPhone));
    if (Array.isArray(each)) return each.map(walk);
    if (typeof each !== "object" || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([key, item]) => [key, walk(item)]));
  };
  return walk(value);
}

/** `+90 5** *** ** 12`: the country, the first digit and the last two. */
export function maskPhone(phone: string): string {
  return /^\+\d{7}/.test(phone) ? `${phone.slice(0, 3)} ${phone[3]}** *** ** ${phone.slice(-2)}` : "***";
}
