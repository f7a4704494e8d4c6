import * as z from "zod";
import { callOutbound } from "@/server/infrastructure/http/outbound";

const SentResponse = z.object({ sid: z.string().max(64) });
const ErrorResponse = z.object({ code: z.number().optional(), message: z.string().optional() });

export interface TwilioAccount {
  url: string;
  sid: string;
  token: string;
  /** Phone number, sender name or messaging service id. */
  from: string;
}

/** Twilio rejected a message. `isPermanent`: a retry cannot help. */
export class SmsRejectedError extends Error {
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
  const senderField = /^MG[0-9a-fA-F]{32}$/.test(from) ? "MessagingServiceSid" : "From";
  const { status, text: responseText } = await callOutbound({
    method: "POST",
    url: `${url}/2010-04-01/Accounts/${sid}/Messages.json`,
    headers: {
      authorization: `Basic ${Buffer.from(`${sid}:${token}`).toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams({ To: to, [senderField]: from, Body: text }).toString(),
  });
  const body = parseJson(responseText);
  if (status < 300) return SentResponse.parse(body).sid;
  const { code, message } = ErrorResponse.safeParse(body).data ?? {};
  const isPermanent = status === 400 || status === 404;
  throw new SmsRejectedError(
    `Twilio ${status} ${code ?? ""} ${message ?? ""}`.trim().slice(0, 300),
    isPermanent,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
