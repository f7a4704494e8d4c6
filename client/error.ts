/** Error response of the API. Branch on `code`; `message` is for people. */
export class TellalError extends Error {
  override readonly name = "TellalError";
  constructor(
    message: string,
    readonly status: number,
    /** The header `X-Error-Code`: `validation`, `site_needs_upgrade`, … */
    readonly code: string | null,
    /** Messages by field of the request. */
    readonly errors: Record<string, string[]> | undefined,
    /** The other fields of the body. */
    readonly fields: Record<string, unknown>,
    /** Id of the request, for support. */
    readonly requestId: string | null,
    /** Seconds to wait before the next attempt, from `Retry-After`. */
    readonly retryAfter: number | null,
  ) {
    super(message);
  }

  static async of(response: Response): Promise<TellalError> {
    return TellalError.from(response, await response.json().catch(() => undefined));
  }

  static from({ status, headers }: Response, body: unknown): TellalError {
    const properties = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
    const { success: _, message, error, errors, ...fields } = properties;
    const retryAfter = Number(headers.get("Retry-After"));
    return new TellalError(
      String(error ?? message ?? `The request failed with status ${status}`),
      status,
      headers.get("X-Error-Code"),
      errors as Record<string, string[]> | undefined,
      fields,
      headers.get("X-Request-Id"),
      retryAfter > 0 ? retryAfter : null,
    );
  }
}
