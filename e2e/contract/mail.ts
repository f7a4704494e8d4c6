import { setTimeout as sleep } from "node:timers/promises";
import type { SmtpPeer } from "@/server/testing/smtp";

/** The six digits of a mail, except mails that verify an address: those have a code next to their link. */
export const CODE = /^(?![\s\S]*dsv_)[\s\S]*?\b(\d{6})\b/;

/**
 * Waits for what a mail to this address says, the pattern's group or all of it, other than what is `known` from an
 * earlier mail; empty when none arrives.
 */
export async function mailed(
  { mails }: SmtpPeer,
  address: string,
  pattern: RegExp,
  known = "",
): Promise<string> {
  const deadline = Date.now() + 60_000;
  do {
    // The newest first: a second mail replaces what the first one said.
    for (const { recipients, text = "" } of mails.toReversed()) {
      const found = recipients.includes(address) ? pattern.exec(text) : null;
      const match = found?.[1] ?? found?.[0];
      if (match && match !== known) return match;
    }
    await sleep(20);
  } while (Date.now() < deadline);
  return "";
}
