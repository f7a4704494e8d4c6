/** A refusal of the API. `code` says the reason to programs, the message to people. */
export class TellalError extends Error {
  override readonly name = "TellalError";
  constructor(
    message: string,
    readonly status: number,
    /** The header `X-Error-Code`: `validation`, `site_needs_upgrade`, … */
    readonly code: string | null,
    /** By field, what is wrong with it. */
    readonly errors: Record<string, string[]> | undefined,
    /** What else the body says. */
    readonly fields: Record<string, unknown>,
    /** Number of the call; support finds it by that. */
    readonly requestId: string | null,
    /** Seconds to wait, where the server asks for that. */
    readonly retryAfter: number | null,
  ) {
    super(message);
  }

  /** Reads the refusal of a response. */
  static async of(response: Response): Promise<TellalError> {
    return TellalError.from(response, await response.json().catch(() => undefined));
  }

  /** The refusal of a response whose body was read. */
  static from({ status, headers }: Response, body: unknown): TellalError {
    const given = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
    const { success: _, message, error, errors, ...fields } = given;
    const wait = Number(headers.get("Retry-After"));
    return new TellalError(
      String(error ?? message ?? `The call was refused with ${status}`),
      status,
      headers.get("X-Error-Code"),
      errors as Record<string, string[]> | undefined,
      fields,
      headers.get("X-Request-Id"),
      wait > 0 ? wait : null,
    );
  }
}
