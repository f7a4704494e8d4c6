import { foldText } from "@/server/core/fold";
import { buildMediaUrl } from "@/server/infrastructure/storage/served-files";

/** Returns a URL whose last segment is a readable name, because browsers save the file under that name. */
export function buildFileUrl({ fileKey, name }: { fileKey: string; name: string }): string {
  const base = name.replace(/\.[^.]*$/, "");
  const slug = foldText(base)
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 80)
    .replace(/^-+|(?<!-)-+$/g, "");
  return buildMediaUrl(fileKey, slug || "file");
}
