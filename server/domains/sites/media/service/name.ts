import { cleanFileName } from "@/server/core/file-name";
import { type Format, formatOfName, NAME_MAX } from "../policy";

/** The name a file is listed under: what its sender called it, without path, with the extension of its content. */
export function displayName(name: string | null, format: Format): string {
  const clean = cleanFileName(name ?? "");
  const named = clean === "" || formatOfName(clean) === null ? clean : clean.slice(0, clean.lastIndexOf("."));
  const base = firstCharacters(named.replace(/^\.+/, "").trim(), NAME_MAX - format.length - 1);
  return `${base.trim() || "file"}.${format}`;
}

const characters = new Intl.Segmenter();

/** Cuts between characters as people see them, e.g. not within a flag. */
function firstCharacters(text: string, max: number): string {
  let [cut, length] = ["", 0];
  for (const { segment } of characters.segment(text)) {
    length += [...segment].length;
    if (length > max) break;
    cut += segment;
  }
  return cut;
}
