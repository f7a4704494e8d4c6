import { type Party, PartyProblem } from "@/server/core/domain";
import { env } from "@/server/core/env";
import { askParty } from "@/server/infrastructure/http/party";

/** Tests our own app at Meta; customers' tokens are checked per connection. */
export const metaParty: Party = {
  label: "Meta",
  settings: "META_APP_ID, META_APP_SECRET",
  isSet: () => Boolean(env().META_APP_ID && env().META_APP_SECRET),
  async test() {
    const { META_APP_ID: app, META_APP_SECRET: secret, META_GRAPH_URL: url, META_GRAPH_VERSION } = env();
    const { body } = await askParty({
      method: "GET",
      url: `${url}/${META_GRAPH_VERSION}/${app}?fields=id`,
      headers: { authorization: `Bearer ${app}|${secret}` },
    });
    if (body.error) throw new PartyProblem("refused");
    if (body.id !== app) throw new PartyProblem("unexpected");
  },
};
