import { randomBytes } from "node:crypto";
import { parseFields, type Sandbox, sandboxResponse, stringOrEmpty } from "./sandbox";

const errorResponse = (status: number, code: number, message: string) =>
  sandboxResponse(status, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status });

const FIELD_NAMES = {
  SmsUrl: "sms_url",
  SmsFallbackUrl: "sms_fallback_url",
  VoiceUrl: "voice_url",
  VoiceFallbackUrl: "voice_fallback_url",
  StatusCallback: "status_callback",
  SmsApplicationSid: "sms_application_sid",
  VoiceApplicationSid: "voice_application_sid",
  TrunkSid: "trunk_sid",
} as const;

/** Errors of messages, by the last digits of the recipient. */
const MESSAGE_ERRORS: Record<string, [code: number, message: string]> = {
  404: [21614, "'To' number is not a valid mobile number"],
  608: [21608, "The number is unverified. Trial accounts cannot send messages to unverified numbers."],
};

/** Tokens ending in `REVOKED` are rejected; a number ending in 404 does not exist. */
export const twilio: Sandbox = async (call, store) => {
  const [, accountSid, resource = "", phoneNumberSid] =
    /^\/2010-04-01\/Accounts\/(AC\w{32})(?:\/(\w+)(?:\/(\w+))?)?\.json$/.exec(call.path) ?? [];
  const [username, token = ""] = Buffer.from(
    call.header("authorization")?.slice("Basic ".length) ?? "",
    "base64",
  )
    .toString()
    .split(":");
  if (!accountSid || username !== accountSid || !token || token.endsWith("REVOKED"))
    return errorResponse(401, 20003, "Authenticate");
  const fields = parseFields(call);
  if (resource === "Messages" && call.method === "POST") {
    const { To, From = fields.MessagingServiceSid, Body } = fields;
    if (!To || !From || !Body) return errorResponse(400, 21604, "A parameter is missing");
    const messageError = MESSAGE_ERRORS[stringOrEmpty(To).slice(-3)];
    if (messageError) return errorResponse(400, ...messageError);
    const message = { to: To, from: From, body: Body };
    const messageSid = `SM${randomBytes(16).toString("hex")}`;
    await store.set(`message:${messageSid}`, message);
    return sandboxResponse(201, { sid: messageSid, status: "queued", ...message });
  }
  if (!resource && call.method === "GET")
    return sandboxResponse(200, {
      sid: accountSid,
      friendly_name: "Sandbox",
      status: "active",
      type: "Full",
    });
  if (resource !== "IncomingPhoneNumbers" || !phoneNumberSid || phoneNumberSid.endsWith("404"))
    return errorResponse(404, 20404, `The requested resource ${call.path} was not found`);
  const emptyFields = Object.fromEntries(Object.values(FIELD_NAMES).map((name) => [name, ""]));
  const phoneNumber = {
    ...emptyFields,
    ...((await store.get(`number:${phoneNumberSid}`)) as object | undefined),
  };
  if (call.method === "POST")
    for (const [field, name] of Object.entries(FIELD_NAMES))
      if (field in fields) (phoneNumber as Record<string, unknown>)[name] = fields[field];
  if (call.method === "POST") await store.set(`number:${phoneNumberSid}`, phoneNumber);
  return sandboxResponse(200, {
    sid: phoneNumberSid,
    account_sid: accountSid,
    phone_number: `+1202555${phoneNumberSid.slice(-4)}`,
    ...phoneNumber,
  });
};
