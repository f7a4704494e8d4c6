/*
 * Loaded ahead of the application by start.mjs. A killed launcher passes on no signal, but the system closes the
 * channel between us: then we stop as if asked to, and quickly, since the next start needs the data directory.
 */
if (process.channel) {
  process.on("disconnect", () => {
    setTimeout(() => process.exit(1), 3_000).unref();
    // Windows has no signals: kill() would end us here and now.
    if (process.platform === "win32") process.emit("SIGTERM", "SIGTERM");
    else process.kill(process.pid, "SIGTERM");
  });
  process.channel.unref();
}
