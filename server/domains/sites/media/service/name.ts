import { cleanFileName } from "@/server/core/file-name";
import { truncateGraphemes } from "@/server/core/graphemes";
import { type Format, formatOfName, NAME_MAX } from "../policy";

export function displayName(name: string | null, format: Format): string {
  const clean = cleanFileName(name ?? "");
  const withoutExtension =
    clean === "" || formatOfName(clean) === null ? clean : clean.slice(0, clean.lastIndexOf("."));
  const base = truncateGraphemes(withoutExtension.replace(/^\.+/, "").trim(), NAME_MAX - format.length - 1);
  return `${base.trim() || "file"}.${format}`;
}
