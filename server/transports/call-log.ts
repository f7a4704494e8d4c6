import type { AppError } from "@/server/core/errors";
import { log } from "@/server/core/log";
import { reasonOf } from "@/server/core/redact";

/** Writes the one line of a call: a bug with its cause and stack, an overload with its reason. */
export function logCall(line: Record<string, unknown>, failure: AppError | undefined): void {
  const cause = failure?.extras.cause;
  if (failure?.code === "server_error") log.error({ ...line, cause });
  else if (failure?.status === 503) log.warn({ ...line, reason: reasonOf(cause) });
  else log.info(line);
}
