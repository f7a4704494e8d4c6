import { outside } from "@/server/infrastructure/database/transaction";
import { findServed } from "../statements";
import { addressOf } from "./address";

/**
 * Returns the path at which the file with this key is public: its only one for a file, `path` for a preview. Undefined
 * once the file is deleted, even while its content is still stored.
 */
export async function servedPath(key: string, path: string): Promise<string | undefined> {
  const [file] = await findServed(outside(), { key });
  if (!file) return undefined;
  return file.fileKey === key ? new URL(addressOf(file)).pathname : path;
}
