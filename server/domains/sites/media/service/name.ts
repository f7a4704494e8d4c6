import { type Format, formatOfName, NAME_MAX } from "../policy";

/** Control and format characters, direction overrides among them, and halves of pairs. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** The name a file is listed under: what its sender called it, without path, with the extension of its content. */
export function displayName(name: string | null, format: Format): string {
  const last = (name ?? "").toWellFormed().normalize("NFC").split(/[/\\]/).at(-1)!;
  const clean = last.replace(UNSEEN, "").replace(/\s+/g, " ").trim();
  const named = clean === "" || formatOfName(clean) === null ? clean : clean.replace(/\.[^.]*$/, "");
  const base = [...named.replace(/^\.+/, "").trim()].slice(0, NAME_MAX - format.length - 1).join("");
  return `${base.trim() || "file"}.${format}`;
}
