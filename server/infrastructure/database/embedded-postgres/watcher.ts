import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Waits until this process has died (`cat` ends with the pipe) and the grace period is over. Then stops the
 * database, unless a newer process has written its token to postgres.owner.
 */
const WATCHER_SCRIPT = `
cat > /dev/null
sleep "$GRACE"
[ "$(cat "$DIR/postgres.owner" 2>/dev/null)" = "$TOKEN" ] || exit 0
pid=$(head -n 1 "$DIR/postgres/postmaster.pid" 2>/dev/null)
[ -n "$pid" ] && kill -s "$SIGNAL" "$pid"
[ -n "$REMOVE" ] && rm -rf "$DIR"
exit 0
`;

/** Starts the watcher; the returned function ends it and leaves the database running. */
export async function startDatabaseWatcher(dataDir: string, ephemeral: boolean): Promise<() => void> {
  if (process.platform === "win32") return () => {};
  const token = randomUUID();
  await writeFile(join(dataDir, "postgres.owner"), token);
  const watcher = spawn("/bin/sh", ["-c", WATCHER_SCRIPT], {
    cwd: "/",
    // Own process group: signals to ours, such as Ctrl+C, must not end the watcher.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      DIR: dataDir,
      TOKEN: token,
      GRACE: ephemeral ? "0" : "30",
      // PostgreSQL stops without a checkpoint on QUIT, and cleanly on INT.
      SIGNAL: ephemeral ? "QUIT" : "INT",
      REMOVE: ephemeral ? "1" : "",
    } as unknown as NodeJS.ProcessEnv,
  });
  watcher.on("error", () => {});
  watcher.unref();
  (watcher.stdin as unknown as { unref?(): void })?.unref?.();
  return () => {
    watcher.kill("SIGKILL");
    watcher.stdin?.destroy();
  };
}
