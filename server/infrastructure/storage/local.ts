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
import { BACKED_UP_FOLDERS, type Driver, isKey, type ListedFile, requireFolder, requireKey } from "./driver";

const pathOf = (key: string) => join(env().DATA_DIR, requireKey(key));

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}

export const localStorage: Driver = {
  async write(key, content) {
    const path = pathOf(key);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const part = `${path}.part`;
    try {
      await pipeline(content, createWriteStream(part, { mode: 0o600, flush: true }));
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    const { size } = await stat(part);
    await rename(part, path);
    await flushFolder(dirname(path));
    return size;
  },

  async adopt(key, path) {
    const target = pathOf(key);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const file = await open(path);
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(path, target);
    await flushFolder(dirname(target));
  },

  async read(key) {
    const path = pathOf(key);
    const info = await stat(path).catch(ignoreMissing);
    return info?.isFile() ? { size: info.size, open: (range) => createReadStream(path, range) } : undefined;
  },

  async remove(key) {
    await rm(pathOf(key), { force: true });
  },

  async list(folder) {
    const names = (await readdir(join(env().DATA_DIR, requireFolder(folder))).catch(ignoreMissing)) ?? [];
    const files = await Promise.all(
      names.map(async (name) => {
        const info = await stat(join(env().DATA_DIR, folder, name)).catch(ignoreMissing);
        return info?.isFile() ? [{ key: `${folder}/${name}`, changedAt: info.mtime }] : [];
      }),
    );
    return files.flat();
  },

  async *all() {
    for (const folder of BACKED_UP_FOLDERS) yield* filesBelow(folder);
  },

  // `list` returns incomplete files.
  sweepUnfinished: async () => {},

  check: () => access(env().DATA_DIR, constants.W_OK),

  async storageId() {
    const path = join(env().DATA_DIR, "files.id");
    await writeFile(path, randomUUID(), { flag: "wx", mode: 0o600 }).catch((error) => {
      if (error.code !== "EEXIST") throw error;
    });
    return `folder ${await readFile(path, "utf8")}`;
  },
};

async function* filesBelow(folder: string): AsyncGenerator<ListedFile> {
  for await (const each of (await opendir(join(env().DATA_DIR, folder)).catch(ignoreMissing)) ?? []) {
    const key = `${folder}/${each.name}`;
    if (each.isDirectory()) yield* filesBelow(key);
    if (!each.isFile() || !isKey(key) || key.endsWith(".part")) continue;
    const info = await stat(join(env().DATA_DIR, key)).catch(ignoreMissing);
    if (info) yield { key, changedAt: info.mtime };
  }
}

/** A rename survives a power failure only after its folder is synced. */
async function flushFolder(path: string): Promise<void> {
  // Windows cannot sync folders.
  if (process.platform === "win32") return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
