import type { AnyOperation } from "@/server/core/contract";
import type { Credential } from "../actor";
import type { Origin } from "../admission";
import { hostOf } from "../host";
import { fromOwnPage } from "../own-page";
import { readCookie, sessionCookieName } from "../session/cookie";

/** A request independent of its transport: both doors create one. */
export interface RestRequest {
  method: string;
  /** As sent, not decoded. */
  pathname: string;
  search: string;
  header(name: string): string | null;
  /** Address of the client, already determined from the trusted proxy hops. */
  ip: string;
  /** Whether all of it has arrived. */
  isWhole(): boolean;
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

/**
 * Returns the bearer token, or else a site's external key. The panel uploads and saves files here with its cookie, from
 * its own pages only, because a foreign page can send a form or follow a link, too.
 */
export function credentialOf(
  request: RestRequest,
  { siteKey: accepted = false, upload, file }: AnyOperation,
): Credential {
  const bearer = request.header("authorization");
  const siteKey = request.header("x-api-key");
  const session = upload || file ? readCookie(request.header("cookie"), sessionCookieName()) : null;
  if (bearer === null && siteKey === null && session !== null && fromOwnPage(request)) return { session };
  return bearer === null && siteKey !== null ? { siteKey, accepted } : { bearer };
}
