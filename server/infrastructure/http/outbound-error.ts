/** Why there is no answer. Only `refused_address` and `bad_address` last. */
type OutboundFailure =
  | "bad_address"
  | "refused_address"
  | "unresolved"
  | "unreachable"
  | "timeout"
  | "too_large"
  | "breaker_open";

/** A call that brought no answer. Its message never contains the address, which may hold a secret. */
export class OutboundError extends Error {
  override name = "OutboundError";
  constructor(
    readonly reason: OutboundFailure,
    cause?: unknown,
  ) {
    super(reason, { cause });
  }
}
