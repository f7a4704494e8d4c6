import { execFileSync, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { chmod, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import { DatabaseStartError } from "./errors";

/** System user that the database runs as. PostgreSQL refuses to run as root. */
export interface SystemUser {
  name: string;
  uid?: number;
  gid?: number;
  /** Linux capability to traverse directories without permission; see {@link grantDirectoryAccess}. */
  capability?: "dac_read_search" | "dac_override";
}

/** Chooses the current user; for root the cluster's owner, `postgres`, or a newly created user. */
export async function chooseSystemUser(clusterDir: string): Promise<SystemUser> {
  if (process.getuid?.() !== 0) return { name: userInfo().username };
  const owner = await stat(clusterDir).catch(() => undefined);
  if (owner && owner.uid !== 0) return { name: `user ${owner.uid}`, uid: owner.uid, gid: owner.gid };
  for (const name of ["postgres", "tellal"]) {
    const systemUser = findSystemUser(name);
    if (systemUser) return systemUser;
  }
  try {
    execFileSync("useradd", ["--system", "--no-create-home", "--shell", "/usr/sbin/nologin", "tellal"], {
      stdio: "ignore",
    });
  } catch {
    throw new DatabaseStartError(
      "PostgreSQL does not run as root and no system user could be created; start as another user, or create a user named tellal.",
    );
  }
  return findSystemUser("tellal")!;
}

function findSystemUser(name: string): SystemUser | undefined {
  const runIdCommand = (flag: string) => spawnSync("id", [flag, name], { encoding: "utf8" });
  const uid = runIdCommand("-u");
  if (uid.status !== 0) return undefined;
  return { name, uid: Number(uid.stdout), gid: Number(runIdCommand("-g").stdout) };
}

/** Starts a program as the user, with a minimal environment that contains no secrets. */
export function spawnAs(systemUser: SystemUser, file: string, args: string[], options: SpawnOptions = {}) {
  const env = {
    PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
    LC_ALL: "C",
    TZ: "UTC",
    ...options.env,
  };
  const spawnOptions: SpawnOptions = { cwd: "/", ...options, env: env as unknown as NodeJS.ProcessEnv };
  if (systemUser.uid === undefined) return spawn(file, args, spawnOptions);
  if (!systemUser.capability)
    return spawn(file, args, { ...spawnOptions, uid: systemUser.uid, gid: systemUser.gid });
  const { uid, gid, capability } = systemUser;
  const setprivArguments = [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    "--clear-groups",
    `--inh-caps=+${capability}`,
    `--ambient-caps=+${capability}`,
    `--bounding-set=-all,+${capability}`,
    // initdb finds programs by access(2), which ignores capabilities after a change of user without this bit.
    "--securebits=+no_setuid_fixup",
  ];
  return spawn("setpriv", [...setprivArguments, file, ...args], spawnOptions);
}

export function runAs(
  systemUser: SystemUser,
  file: string,
  args: string[],
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawnAs(systemUser, file, args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
    child.on("error", (error) => resolve({ code: 127, output: output + error.message }));
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Returns the first directory of `path` that the user cannot enter, or undefined. */
export async function findBlockedDirectory(
  systemUser: SystemUser,
  path: string,
  platform = process.platform,
): Promise<string | undefined> {
  // Windows: the user is never changed, and there is no shell.
  if (platform === "win32") return undefined;
  const directories: string[] = [];
  for (let dir = path; ; dir = dirname(dir)) {
    directories.unshift(dir);
    if (dir === dirname(dir)) break;
  }
  const script = 'for d; do [ -x "$d" ] || { printf %s "$d"; exit 3; }; done';
  const { code, output } = await runAs(systemUser, "/bin/sh", ["-c", script, "sh", ...directories]);
  if (code === 0) return undefined;
  return code === 3 ? output : path;
}

/** Opens the data directory for traversal; for a closed parent, gives the returned user a capability. */
export async function grantDirectoryAccess(systemUser: SystemUser, dataDir: string): Promise<SystemUser> {
  if (systemUser.uid === undefined) return systemUser;
  const { mode, uid } = await stat(dataDir);
  if (uid !== systemUser.uid && (mode & 0o001) === 0) await chmod(dataDir, (mode & 0o7777) | 0o001);
  const blockedDirectory = await findBlockedDirectory(systemUser, dataDir);
  if (!blockedDirectory) return systemUser;
  for (const capability of ["dac_read_search", "dac_override"] as const) {
    const capableUser: SystemUser = { ...systemUser, capability };
    if (!(await findBlockedDirectory(capableUser, dataDir))) return capableUser;
  }
  throw new DatabaseStartError(
    `The database runs as ${systemUser.name}, who cannot enter ${blockedDirectory}; run chmod o+x ${blockedDirectory} or set DATA_DIR to another place.`,
  );
}
