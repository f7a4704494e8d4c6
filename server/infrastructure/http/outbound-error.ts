/** Why a call failed. Only `refused_address` and `bad_address` are permanent. */
type OutboundFailure =
  | "bad_address"
  | "refused_address"
  | "unresolved"
  | "unreachable"
  | "timeout"
  | "too_large"
  | "breaker_open";

/** Call without a response. The message never contains the URL, which may contain a secret. */
export class OutboundError extends Error {
  override name = "OutboundError";
  constructor(
    readonly reason: OutboundFailure,
    cause?: unknown,
  ) {
    super(reason, { cause });
  }
}
