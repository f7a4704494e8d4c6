import { env } from "@/server/core/env";
import type { StoredFile } from "./driver";
import { storage } from "./storage";

/** Stored files that anybody with the address may read: images that we created, under names nobody can guess. */
const PUBLIC = /^\/(media\/avatars\/[0-9A-HJKMNP-TV-Z]{26}\.webp)$/;

/** Returns the path of a public file; stored without a host, so that it stays valid when the application moves. */
export function publicPath(key: string): string {
  return `/${key}`;
}

/** Returns the address of a stored picture for the API: ours with its host, a foreign one unchanged. */
export function publicUrl(stored: string | null): string | null {
  return stored?.startsWith("/") ? env().APP_URL + stored : stored;
}

/** Returns the file at a path below `/media/` with its headers, or undefined. */
export async function publicFile(
  path: string,
): Promise<{ file: StoredFile; headers: Record<string, string> } | undefined> {
  const key = PUBLIC.exec(path)?.[1];
  const file = key && (await storage().read(key));
  if (!file) return undefined;
  const headers = {
    "content-type": "image/webp",
    "content-length": String(file.size),
    // A name is never reused, so a cached file stays valid.
    "cache-control": "public, max-age=31536000, immutable",
    "cross-origin-resource-policy": "cross-origin",
  };
  return { file, headers };
}
