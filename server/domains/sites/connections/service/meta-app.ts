import { type ExternalService, ExternalServiceError } from "@/server/core/domain";
import { env } from "@/server/core/env";
import { readServiceJson } from "@/server/infrastructure/http/read-service-json";

/** Tests our own app at Meta; customers' tokens are checked per connection. */
export const metaApp: ExternalService = {
  label: "Meta",
  settings: "META_APP_ID, META_APP_SECRET",
  isConfigured: () => Boolean(env().META_APP_ID && env().META_APP_SECRET),
  async test() {
    const { META_APP_ID: app, META_APP_SECRET: secret, META_GRAPH_URL: url, META_GRAPH_VERSION } = env();
    const { body } = await readServiceJson({
      method: "GET",
      url: `${url}/${META_GRAPH_VERSION}/${app}?fields=id`,
      headers: { authorization: `Bearer ${app}|${secret}` },
    });
    if (body.error) throw new ExternalServiceError("refused");
    if (body.id !== app) throw new ExternalServiceError("unexpected");
  },
};
