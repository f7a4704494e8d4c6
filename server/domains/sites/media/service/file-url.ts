import { fold } from "@/server/core/fold";
import { mediaUrl } from "@/server/infrastructure/storage/public";

/** The last segment is a readable name, used by browsers to save the file. */
export function fileUrlOf({ fileKey, name }: { fileKey: string; name: string }): string {
  const base = name.replace(/\.[^.]*$/, "");
  const slug = fold(base)
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 80)
    .replace(/^-+|(?<!-)-+$/g, "");
  return mediaUrl(fileKey, slug || "file");
}
