import { outside } from "@/server/infrastructure/database/transaction";
import { findServed } from "../statements";
import { addressOf } from "./address";

interface ServedMedia {
  /** The only path of the file; of a preview, the path that was requested. */
  path: string;
  userId: number;
  /** Whether everyone may read it: once the owner has verified the address. Before that only the owner may. */
  isPublic: boolean;
  /** Undefined for a preview. */
  file?: { name: string; mimeType: string };
}

/** Returns how the file with this key is served. Undefined once it is deleted, even while its content is still stored. */
export async function servedMedia(key: string, path: string): Promise<ServedMedia | undefined> {
  const [file] = await findServed(outside(), { key });
  if (!file) return undefined;
  const { userId, isPublic, fileKey, name, mimeType } = file;
  if (fileKey !== key) return { path, userId, isPublic };
  return { path: new URL(addressOf(file)).pathname, userId, isPublic, file: { name, mimeType } };
}
