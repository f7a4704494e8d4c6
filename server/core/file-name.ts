/** Control and format characters, direction overrides among them, and halves of pairs. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** What its sender called a file, without path and what cannot be seen or stored; empty when nothing else is in it. */
export function cleanFileName(name: string): string {
  const last = name.toWellFormed().normalize("NFC").split(/[/\\]/).at(-1)!;
  return last.replace(UNSEEN, "").replace(/\s+/g, " ").trim();
}
