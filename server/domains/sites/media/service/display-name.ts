import { cleanFileName } from "@/server/core/file-name";
import { truncateGraphemes } from "@/server/core/graphemes";
import { FILE_NAME_LENGTH_MAX, getFormatOfName, type MediaFormat } from "../policy";

export function buildDisplayName(name: string | null, format: MediaFormat): string {
  const cleanName = cleanFileName(name ?? "");
  const withoutExtension =
    cleanName === "" || getFormatOfName(cleanName) === null
      ? cleanName
      : cleanName.slice(0, cleanName.lastIndexOf("."));
  const base = truncateGraphemes(
    withoutExtension.replace(/^\.+/, "").trim(),
    FILE_NAME_LENGTH_MAX - format.length - 1,
  );
  return `${base.trim() || "file"}.${format}`;
}
