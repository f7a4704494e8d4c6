import { env } from "@/server/core/env";
import { localStorage } from "./local";
import type { StoredFile } from "./storage";

/** Stored files that anybody with the address may read: images that we made ourselves, under names nobody can guess. */
const PUBLIC = /^\/(media\/avatars\/[0-9A-HJKMNP-TV-Z]{26}\.webp)$/;

/** Where a public file is served; stored like this, so that it follows the application to another address. */
export function publicPath(key: string): string {
  return `/${key}`;
}

/** The address of a stored picture as the API says it: ours in full, a foreign one as it is. */
export function publicUrl(stored: string | null): string | null {
  return stored?.startsWith("/") ? env().APP_URL + stored : stored;
}

/** The file behind a path below `/media/`, with its headers; undefined when there is none. */
export async function publicFile(
  path: string,
): Promise<{ file: StoredFile; headers: Record<string, string> } | undefined> {
  const key = PUBLIC.exec(path)?.[1];
  const file = key && (await localStorage.read(key));
  if (!file) return undefined;
  const headers = {
    "content-type": "image/webp",
    "content-length": String(file.size),
    // A name is never used again, so what was once read stays right.
    "cache-control": "public, max-age=31536000, immutable",
    "cross-origin-resource-policy": "cross-origin",
  };
  return { file, headers };
}
