import { cleanFileName } from "@/server/core/file-name";
import { type Format, formatOfName, NAME_MAX } from "../policy";

/** The name a file is listed under: what its sender called it, without path, with the extension of its content. */
export function displayName(name: string | null, format: Format): string {
  const clean = cleanFileName(name ?? "");
  const named = clean === "" || formatOfName(clean) === null ? clean : clean.replace(/\.[^.]*$/, "");
  const base = [...named.replace(/^\.+/, "").trim()].slice(0, NAME_MAX - format.length - 1).join("");
  return `${base.trim() || "file"}.${format}`;
}
