import { isLong, packFast, VARY } from "./packing";
import type { RestResponse } from "./response";

/** `gzip`, unless the client refuses it by `q=0`. */
const TAKEN = /(?:^|,)\s*gzip\s*(?:;\s*q=(?:0\.0*[1-9]\d*|1(?:\.0*)?)\s*)?(?:,|$)/i;

/**
 * Compresses a long response, such as a list of thousands of sites, for clients that take gzip, and adds the headers
 * that caches need. Lists are opened by a token, which no page of a stranger can make a browser send to learn from the
 * length of what comes back.
 */
export async function compress(response: RestResponse, accepted: string | null): Promise<void> {
  const { body, headers } = response;
  if (body === null || !isLong(body)) return;
  headers.vary = VARY;
  if (!accepted || !TAKEN.test(accepted)) return;
  response.body = (await response.packed?.()) ?? (await packFast(body));
  headers["content-encoding"] = "gzip";
  // The tag is of the body before compression.
  if (headers.etag) headers.etag = `W/${headers.etag}`;
}
