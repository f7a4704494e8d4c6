import { createHash } from "node:crypto";
import { env } from "@/server/core/env";
import { log } from "@/server/core/log";

/** The check is a help, not a gate, so it gets little time. */
const PATIENCE_MS = 2000;
/** A range has about 800 lines of 40 characters; a longer body is not a valid response. */
const MAX_BYTES = 512 * 1024;

/**
 * Whether a password is known from a breach, checked at BREACHED_PASSWORDS_URL by k-anonymity: five of the 40
 * characters of its SHA-1 leave this machine, and padding hides the size of the response. False without the setting,
 * and when the service cannot be reached.
 */
export async function isBreached(password: string): Promise<boolean> {
  const { BREACHED_PASSWORDS_URL } = env();
  if (!BREACHED_PASSWORDS_URL) return false;
  const hash = createHash("sha1").update(password).digest("hex").toUpperCase();
  try {
    const response = await fetch(`${BREACHED_PASSWORDS_URL}/${hash.slice(0, 5)}`, {
      headers: { "add-padding": "true" },
      redirect: "error",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return await names(response, hash.slice(5));
  } catch (error) {
    log.warn({ event: "breached_passwords.failed", reason: (error as Error).message });
    return false;
  }
}

/** `<the other 35 characters>:<times seen>`, one a line; padding was seen 0 times. */
async function names({ body }: Response, rest: string): Promise<boolean> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_BYTES) throw new Error("response too long");
  }
  return text.split(/\r?\n/).some((line) => {
    const [suffix, times] = line.split(":");
    return suffix?.toUpperCase() === rest && Number(times) > 0;
  });
}
