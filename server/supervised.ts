import { log } from "./core/log";

export function reportServing(): void {
  process.send?.("serving");
}

/** Handles the supervisor's signals, and exits when it ends: the next start needs the data directory. */
export function followSupervisor(): void {
  if (!process.channel) return;
  // Other parents, such as a development watcher, send other messages.
  process.on("message", (signal) => {
    if (signal !== "SIGTERM" && signal !== "SIGINT") return;
    // A starting program has no listener yet: the signal ends it.
    if (!process.emit(signal, signal)) process.kill(process.pid, signal);
  });
  process.on("disconnect", () => process.exit(1));
  process.channel.unref();
}

/** Logs an uncaught exception, calls `stop` and exits with 1, at the latest after the deadline (ms). */
export function exitOnUncaught(stop: () => Promise<unknown>, deadlineMs: number): void {
  let isEnding = false;
  process.on("uncaughtException", (cause) => {
    log.fatal({ event: "uncaught_exception", cause });
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(1), deadlineMs);
    stop()
      .catch((error: unknown) => log.error({ event: "stop.failed", cause: error }))
      .finally(() => process.exit(1));
  });
  process.on("unhandledRejection", (cause) => log.error({ event: "unhandled_rejection", cause }));
}
