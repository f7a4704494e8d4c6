import { fold } from "@/server/core/fold";
import { mediaUrl } from "@/server/infrastructure/storage/public";

/** The public address of a file; its last part is for people, and what a browser saves it as. */
export function addressOf({ fileKey, name }: { fileKey: string; name: string }): string {
  const base = name.replace(/\.[^.]*$/, "");
  const words = fold(base)
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 80)
    .replace(/^-+|(?<!-)-+$/g, "");
  return mediaUrl(fileKey, words || "file");
}
