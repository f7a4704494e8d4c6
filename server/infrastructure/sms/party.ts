import { type Party, PartyProblem } from "@/server/core/domain";
import { env } from "@/server/core/env";
import { askParty } from "@/server/infrastructure/http/party";

/** Twilio. The test reads the account, because sending a message costs money. */
export const twilioParty: Party = {
  label: "Twilio",
  settings: "TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN",
  isSet: () => Boolean(env().TWILIO_ACCOUNT_SID),
  async test() {
    const { TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: token, TWILIO_API_URL: url } = env();
    const { status, body } = await askParty({
      method: "GET",
      url: `${url}/2010-04-01/Accounts/${sid}.json`,
      headers: { authorization: `Basic ${Buffer.from(`${sid}:${token}`).toString("base64")}` },
    });
    if (status !== 200) throw new PartyProblem("refused");
    if (body.status !== "active") throw new PartyProblem("refused");
  },
};
