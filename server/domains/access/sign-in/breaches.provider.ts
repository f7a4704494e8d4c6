import { createHash } from "node:crypto";
import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import { callService } from "@/server/infrastructure/http/call-service";

/** The check only advises, so it gets little time. */
const TIMEOUT_MS = 2000;
/** A range has about 800 lines of 40 characters. */
const MAX_RESPONSE_BYTES = 512 * 1024;

/** Sends 5 of the SHA-1's 40 characters. False without BREACHED_PASSWORDS_URL or when the service fails. */
export async function isBreached(password: string): Promise<boolean> {
  const { BREACHED_PASSWORDS_URL } = env();
  if (!BREACHED_PASSWORDS_URL) return false;
  const hash = createHash("sha1").update(password).digest("hex").toUpperCase();
  try {
    const { status, text } = await callService(`${BREACHED_PASSWORDS_URL}/${hash.slice(0, 5)}`, {
      headers: { "add-padding": "true" },
      timeout: TIMEOUT_MS,
      maxBytes: MAX_RESPONSE_BYTES,
    });
    if (status !== 200) throw new Error(`status ${status}`);
    return hasHashSuffix(text, hash.slice(5));
  } catch (error) {
    log.warn({ event: "breached_passwords.failed", reason: (error as Error).message });
    return false;
  }
}

/** Lines are `<35 characters>:<times seen>`; padding has 0 times. */
function hasHashSuffix(text: string, suffix: string): boolean {
  return text.split(/\r?\n/).some((line) => {
    const [lineSuffix, count] = line.split(":");
    return lineSuffix?.toUpperCase() === suffix && Number(count) > 0;
  });
}
