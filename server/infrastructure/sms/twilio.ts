import * as z from "zod";
import { outbound } from "@/server/infrastructure/http/outbound";

const Sent = z.object({ sid: z.string().max(64) });
const Failed = z.object({ code: z.number().optional(), message: z.string().optional() });

export interface TwilioAccount {
  url: string;
  sid: string;
  token: string;
  /** Phone number, sender name or messaging service id. */
  from: string;
}

/** Twilio rejected a message. `isPermanent`: a retry cannot help. */
export class SmsRefused extends Error {
  override name = "SmsRefused";
  constructor(
    message: string,
    readonly isPermanent: boolean,
  ) {
    super(message);
  }
}

export async function sendByTwilio(
  { url, sid, token, from }: TwilioAccount,
  { to, text }: { to: string; text: string },
): Promise<string> {
  const sender = /^MG[0-9a-fA-F]{32}$/.test(from) ? "MessagingServiceSid" : "From";
  const { status, text: reply } = await outbound({
    method: "POST",
    url: `${url}/2010-04-01/Accounts/${sid}/Messages.json`,
    headers: {
      authorization: `Basic ${Buffer.from(`${sid}:${token}`).toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams({ To: to, [sender]: from, Body: text }).toString(),
  });
  const body = parsed(reply);
  if (status < 300) return Sent.parse(body).sid;
  const { code, message } = Failed.safeParse(body).data ?? {};
  const isPermanent = status === 400 || status === 404;
  throw new SmsRefused(`Twilio ${status} ${code ?? ""} ${message ?? ""}`.trim().slice(0, 300), isPermanent);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
