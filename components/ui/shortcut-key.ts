/** Returns the letter of a key; on non-Latin layouts the Latin letter at its physical position. */
export function getShortcutKey({ key, code }: KeyboardEvent): string {
  if (/^[\x20-\x7e]$/.test(key)) return key.toLowerCase();
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? key;
}
