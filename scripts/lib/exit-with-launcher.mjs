/*
 * Loaded ahead of the application by start.mjs. When the launcher is killed it can pass on no signal, but the
 * system closes the channel between us: then we stop as if told to, and do not take long about it, since the
 * next start wants the data directory.
 */
if (process.channel) {
  process.on("disconnect", () => {
    setTimeout(() => process.exit(1), 3_000).unref();
    process.kill(process.pid, "SIGTERM");
  });
  process.channel.unref();
}
