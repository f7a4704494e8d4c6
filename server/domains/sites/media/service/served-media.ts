import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { findServedFile } from "../statements";
import { buildFileUrl } from "./file-url";

interface ServedMedia {
  /** Canonical path of the file; for a preview, the requested path. */
  path: string;
  userId: number;
  /** True once the owner has verified the address; until then only the owner may read the file. */
  isPublic: boolean;
  file?: { name: string; mimeType: string };
}

/** Returns undefined once the file is deleted, even if its content is stored; no `file` for a preview. */
export async function findServedMedia(key: string, path: string): Promise<ServedMedia | undefined> {
  const [file] = await findServedFile(withoutTransaction(), { key });
  if (!file) return undefined;
  const { userId, isPublic, fileKey, name, mimeType } = file;
  if (fileKey !== key) return { path, userId, isPublic };
  return { path: new URL(buildFileUrl(file)).pathname, userId, isPublic, file: { name, mimeType } };
}
