/** `a***z@g***.com`: enough for people to recognise their own address. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  const dot = domain.lastIndexOf(".");
  const ends = [...local];
  const shown = ends.length > 2 ? `${ends[0]}***${ends.at(-1)}` : `${ends[0]}***`;
  return `${shown}@${[...domain][0]}***${dot > 0 ? domain.slice(dot) : ""}`;
}

/** `+90 5** *** ** 12`: the country, the first digit and the last two. */
export function maskPhone(phone: string): string {
  return /^\+\d{7}/.test(phone) ? `${phone.slice(0, 3)} ${phone[3]}** *** ** ${phone.slice(-2)}` : "***";
}
