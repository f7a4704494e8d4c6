import type { Origin } from "../admission";
import { hostOf } from "../host";

/** A request independent of its transport: both doors create one. */
export interface RestRequest {
  method: string;
  /** As sent, not decoded. */
  pathname: string;
  search: string;
  header(name: string): string | null;
  /** Address of the client, already determined from the trusted proxy hops. */
  ip: string;
  /** Resolves with whether the body has arrived together with the headers. */
  isWhole(): Promise<boolean>;
  /** Reads the body, or throws `body_too_large` as soon as it exceeds `limit` bytes. */
  body(limit: number): Promise<Uint8Array>;
  /** The body as a stream. */
  stream(limit: number): AsyncIterable<Uint8Array>;
}

export function originOf(request: RestRequest, requestId: string): Origin {
  return {
    requestId,
    ip: request.ip,
    userAgent: request.header("user-agent"),
    acceptLanguage: request.header("accept-language"),
    host: hostOf(request),
    forwarded: (request.header("x-forwarded-for") ?? "").split(",").filter((each) => each.trim()).length,
  };
}
