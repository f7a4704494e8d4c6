import * as z from "zod";
import { SECOND } from "@/server/core/time";

/** The parts of Twilio's responses that we use; of an error, what helps to explain it. */
const Sent = z.object({ sid: z.string().max(64) });
const Failed = z.object({ code: z.number().optional(), message: z.string().optional() });

const TIMEOUT = 10 * SECOND;

export interface TwilioAccount {
  url: string;
  sid: string;
  token: string;
  /** A number, a sender name, or the id of a messaging service. */
  from: string;
}

/** Twilio refused a message. `lasting`: a retry would not help. */
export class SmsRefused extends Error {
  override name = "SmsRefused";
  constructor(
    message: string,
    readonly lasting: boolean,
  ) {
    super(message);
  }
}

/** Sends one message through Twilio and returns Twilio's id of it. Throws {@link SmsRefused} when it is refused. */
export async function sendByTwilio(
  { url, sid, token, from }: TwilioAccount,
  { to, text }: { to: string; text: string },
): Promise<string> {
  const sender = /^MG[0-9a-fA-F]{32}$/.test(from) ? "MessagingServiceSid" : "From";
  const response = await fetch(`${url}/2010-04-01/Accounts/${sid}/Messages.json`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${sid}:${token}`).toString("base64")}` },
    body: new URLSearchParams({ To: to, [sender]: from, Body: text }),
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT),
  });
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return Sent.parse(body).sid;
  const { code, message } = Failed.safeParse(body).data ?? {};
  const lasting = response.status === 400 || response.status === 404;
  throw new SmsRefused(
    `Twilio ${response.status} ${code ?? ""} ${message ?? ""}`.trim().slice(0, 300),
    lasting,
  );
}
