import { PartyProblem } from "@/server/core/domain";
import { OutboundError, type OutboundRequest, outbound } from "./outbound";

/** Reads a JSON object from an external service, for a connection test. Throws `PartyProblem`. */
export async function askParty(
  call: Omit<OutboundRequest, "timeout">,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { status, text } = await outbound({ ...call, unguarded: true, timeout: TIMEOUT }).catch((cause) => {
    throw cause instanceof OutboundError ? new PartyProblem("unreachable", { cause }) : cause;
  });
  if (status >= 500 || status === 429) throw new PartyProblem("unreachable");
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null) return { status, body: body as Record<string, unknown> };
  } catch {
    // Not JSON: a proxy's error page, or another server.
  }
  throw new PartyProblem("unexpected");
}

/** Short, because a user is waiting. */
const TIMEOUT = 6_000;
