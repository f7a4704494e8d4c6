import type { AppError } from "@/server/core/errors";
import { count } from "@/server/core/metrics";
import { tellTrace } from "@/server/infrastructure/tracing/trace";
import type { Call } from "../admission";
import { logCall } from "../call-log";
import type { RestRequest } from "./request";

/** What is known of a request while it runs; written as its one line in the log. */
export interface Trace {
  requestId: string;
  /** Missing until the request names an operation. */
  call?: Call;
}

/** Writes the request's one line of the log and counts it in the metrics. */
export function record(
  { method, ip }: RestRequest,
  { requestId, call }: Trace,
  status: number,
  duration: number,
  failure?: AppError,
): void {
  const operation = call?.operation.id ?? "none";
  count(operation, status, duration);
  tellTrace(`${method} ${call?.operation.path ?? "/api"}`, {
    "http.request.method": method,
    "http.route": call?.operation.path,
    "http.response.status_code": status,
    "tellal.request_id": requestId,
    "tellal.error": failure?.code,
  });
  const line = {
    event: "request",
    request_id: requestId,
    operation,
    method,
    status,
    ms: Math.round(duration * 10) / 10,
    actor: call?.actor.kind === "user" ? call.actor.id : null,
    ip,
    error: failure?.code,
  };
  logCall(line, failure);
}
