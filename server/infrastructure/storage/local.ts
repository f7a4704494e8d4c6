import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import {
  access,
  constants,
  mkdir,
  open,
  opendir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { env } from "@/server/core/env";
import {
  BACKED_UP_FOLDERS,
  isStorageKey,
  type ListedFile,
  requireStorageFolder,
  requireStorageKey,
  type StorageDriver,
} from "./driver";

const toLocalPath = (key: string) => join(env().DATA_DIR, requireStorageKey(key));

function ignoreMissingFile(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}

export const localStorage: StorageDriver = {
  async write(key, content) {
    const path = toLocalPath(key);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const temporaryPath = `${path}.part`;
    try {
      await pipeline(content, createWriteStream(temporaryPath, { mode: 0o600, flush: true }));
    } catch (error) {
      await rm(temporaryPath, { force: true });
      throw error;
    }
    const { size } = await stat(temporaryPath);
    await rename(temporaryPath, path);
    await syncFolder(dirname(path));
    return size;
  },

  async moveIn(key, path) {
    const targetPath = toLocalPath(key);
    await mkdir(dirname(targetPath), { recursive: true, mode: 0o700 });
    const file = await open(path);
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(path, targetPath);
    await syncFolder(dirname(targetPath));
  },

  async read(key) {
    const path = toLocalPath(key);
    const info = await stat(path).catch(ignoreMissingFile);
    return info?.isFile() ? { size: info.size, open: (range) => createReadStream(path, range) } : undefined;
  },

  async remove(key) {
    await rm(toLocalPath(key), { force: true });
  },

  async list(folder) {
    const names =
      (await readdir(join(env().DATA_DIR, requireStorageFolder(folder))).catch(ignoreMissingFile)) ?? [];
    const files = await Promise.all(
      names.map(async (name) => {
        const info = await stat(join(env().DATA_DIR, folder, name)).catch(ignoreMissingFile);
        return info?.isFile() ? [{ key: `${folder}/${name}`, changedAt: info.mtime }] : [];
      }),
    );
    return files.flat();
  },

  async *listAll() {
    for (const folder of BACKED_UP_FOLDERS) yield* walkFiles(folder);
  },

  // `list` returns incomplete files.
  removeUnfinishedUploads: async () => {},

  checkAccess: () => access(env().DATA_DIR, constants.W_OK),

  async getStorageId() {
    const path = join(env().DATA_DIR, "files.id");
    await writeFile(path, randomUUID(), { flag: "wx", mode: 0o600 }).catch((error) => {
      if (error.code !== "EEXIST") throw error;
    });
    return `folder ${await readFile(path, "utf8")}`;
  },
};

async function* walkFiles(folder: string): AsyncGenerator<ListedFile> {
  for await (const dirEntry of (await opendir(join(env().DATA_DIR, folder)).catch(ignoreMissingFile)) ?? []) {
    const key = `${folder}/${dirEntry.name}`;
    if (dirEntry.isDirectory()) yield* walkFiles(key);
    if (!dirEntry.isFile() || !isStorageKey(key) || key.endsWith(".part")) continue;
    const info = await stat(join(env().DATA_DIR, key)).catch(ignoreMissingFile);
    if (info) yield { key, changedAt: info.mtime };
  }
}

/** A rename survives a power failure only after its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  // Windows cannot sync folders.
  if (process.platform === "win32") return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
