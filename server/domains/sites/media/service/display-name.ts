import { cleanFileName } from "@/server/core/file-name";
import { truncateGraphemes } from "@/server/core/graphemes";
import { type Format, getFormatOfName, NAME_MAX_LENGTH } from "../policy";

export function buildDisplayName(name: string | null, format: Format): string {
  const cleanName = cleanFileName(name ?? "");
  const withoutExtension =
    cleanName === "" || getFormatOfName(cleanName) === null
      ? cleanName
      : cleanName.slice(0, cleanName.lastIndexOf("."));
  const base = truncateGraphemes(
    withoutExtension.replace(/^\.+/, "").trim(),
    NAME_MAX_LENGTH - format.length - 1,
  );
  return `${base.trim() || "file"}.${format}`;
}
