import { PartyProblem } from "@/server/core/domain";
import { OutboundError, type OutboundRequest, outbound } from "./outbound";

/** Asks somebody outside for a document of JSON. Throws a `PartyProblem` without one, and where their server fails. */
export async function askParty(
  call: Omit<OutboundRequest, "timeout">,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { status, text } = await outbound({ ...call, unguarded: true, timeout: PATIENCE }).catch((cause) => {
    throw cause instanceof OutboundError ? new PartyProblem("unreachable", { cause }) : cause;
  });
  if (status >= 500 || status === 429) throw new PartyProblem("unreachable");
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null) return { status, body: body as Record<string, unknown> };
  } catch {
    // Not theirs: a proxy's page, or another server's.
  }
  throw new PartyProblem("unexpected");
}

/** Whoever waits looks at a page. */
const PATIENCE = 6_000;
