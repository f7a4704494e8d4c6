import { ExternalServiceError } from "@/server/core/domain";
import { callOutbound, OutboundError, type OutboundRequest } from "./outbound";

/** Reads a JSON object from an external service, for a connection test. Throws `ExternalServiceError`. */
export async function readServiceJson(
  call: Omit<OutboundRequest, "timeout">,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { status, text } = await callOutbound({
    ...call,
    bypassesBreaker: true,
    timeout: SERVICE_TIMEOUT_MS,
  }).catch((cause) => {
    throw cause instanceof OutboundError ? new ExternalServiceError("unreachable", { cause }) : cause;
  });
  if (status >= 500 || status === 429) throw new ExternalServiceError("unreachable");
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null) return { status, body: body as Record<string, unknown> };
  } catch {
    // Not JSON: a proxy's error page, or another server.
  }
  throw new ExternalServiceError("unexpected");
}

/** Short, because a user is waiting. */
const SERVICE_TIMEOUT_MS = 6_000;
