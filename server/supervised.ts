import { log } from "./core/log";

/** Reports to the supervisor that this process has started and is to be restarted when it ends unexpectedly. */
export function reportServing(): void {
  process.send?.("serving");
}

/**
 * Follows the supervisor: its messages are signals, and this process ends with it, as the next start needs the data
 * directory.
 */
export function followSupervisor(): void {
  if (!process.channel) return;
  // Other parents, such as a watcher in development, send messages of their own.
  process.on("message", (signal) => {
    if (signal === "SIGTERM" || signal === "SIGINT") process.emit(signal, signal);
  });
  process.on("disconnect", () => process.exit(1));
  process.channel.unref();
}

/** Logs an uncaught exception and ends the process after `stop`, or after `deadline` milliseconds. */
export function endOnUncaught(stop: () => Promise<unknown>, deadline: number): void {
  let isEnding = false;
  process.on("uncaughtException", (cause) => {
    log.fatal({ event: "uncaught_exception", cause });
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(1), deadline);
    stop()
      .catch((error: unknown) => log.error({ event: "stop.failed", cause: error }))
      .finally(() => process.exit(1));
  });
  process.on("unhandledRejection", (cause) => log.error({ event: "unhandled_rejection", cause }));
}
