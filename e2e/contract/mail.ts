import { setTimeout as sleep } from "node:timers/promises";
import type { FakeSmtpServer } from "@/server/testing/smtp";

/** Six digits in a mail. Skips verification mails, which contain another code. */
export const CODE_PATTERN = /^(?![\s\S]*dsv_)[\s\S]*?\b(\d{6})\b/;

/** Returns the pattern's group or whole match; empty after 60 seconds. Skips `previous`, an earlier match. */
export async function waitForMail(
  { mails }: FakeSmtpServer,
  address: string,
  pattern: RegExp,
  previousMatch = "",
): Promise<string> {
  const deadline = Date.now() + 60_000;
  do {
    for (const { recipients, text = "" } of mails.toReversed()) {
      const match = recipients.includes(address) ? pattern.exec(text) : null;
      const value = match?.[1] ?? match?.[0];
      if (value && value !== previousMatch) return value;
    }
    await sleep(20);
  } while (Date.now() < deadline);
  return "";
}
