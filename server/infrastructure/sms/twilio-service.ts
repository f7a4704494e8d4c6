import { type ExternalService, ExternalServiceError } from "@/server/core/domain";
import { env } from "@/server/core/env";
import { readServiceJson } from "@/server/infrastructure/http/read-service-json";

/** Twilio. The test reads the account, because sending a message costs money. */
export const twilioService: ExternalService = {
  label: "Twilio",
  settings: "TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN",
  isConfigured: () => Boolean(env().TWILIO_ACCOUNT_SID),
  async test() {
    const { TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: token, TWILIO_API_URL: url } = env();
    const { status, body } = await readServiceJson({
      method: "GET",
      url: `${url}/2010-04-01/Accounts/${sid}.json`,
      headers: { authorization: `Basic ${Buffer.from(`${sid}:${token}`).toString("base64")}` },
    });
    if (status !== 200) throw new ExternalServiceError("refused");
    if (body.status !== "active") throw new ExternalServiceError("refused");
  },
};
