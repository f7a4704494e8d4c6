/** The letter of a key; on a keyboard without Latin letters the one that stands at its place elsewhere. */
export function letterOf({ key, code }: KeyboardEvent): string {
  if (/^[\x20-\x7e]$/.test(key)) return key.toLowerCase();
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? key;
}
