import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { Unread } from "@/server/core/unread";

const pack = promisify(gzip);

/** Characters from which on the time on the line outweighs that of compressing. */
const LONG = 16_384;

/** What a cache has to tell apart. */
export const VARY = "Accept-Encoding";

export function isLong(body: string | Unread | Uint8Array): boolean {
  return body.length >= LONG;
}

/** As short as it gets, for what is made once and sent often. */
export async function packWell(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return pack(text, { level: constants.Z_BEST_COMPRESSION });
}

/** As fast as it goes, for what is made for one caller. */
export async function packFast(text: string | Unread | Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return pack(Unread.is(text) ? text.buffer : text, { level: constants.Z_BEST_SPEED });
}
