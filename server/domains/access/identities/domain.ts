import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  connectIdentity,
  listIdentities,
  removeIdentity,
  signInWithApple,
  signInWithGoogle,
  startConnecting,
} from "./contract";
import { exports } from "./export";
import { deleteExpiredIdTokensJob, exchangeAppleCodeJob } from "./jobs";
import { GRANT_PURPOSE, listSealedGrants, revokeSealedGrant } from "./service/grant";
import { connect, list, remove, start } from "./service/manage";
import { parties } from "./service/parties";
import { apple, google } from "./service/sign-in";

export const identities = domain({
  operations: {
    signInWithGoogle: handle(signInWithGoogle, google),
    signInWithApple: handle(signInWithApple, apple),
    list: handle(listIdentities, list),
    startConnecting: handle(startConnecting, start),
    connect: handle(connectIdentity, connect),
    remove: handle(removeIdentity, remove),
  },
  jobs: {
    exchange_apple_code: job(exchangeAppleCodeJob),
    forget_id_tokens: job(deleteExpiredIdTokensJob, { cron: "17 * * * *", catchUp: "1d" }),
  },
  externalServices: parties,
  sealed: [
    { table: "external_identities", column: "grant_sealed", purpose: GRANT_PURPOSE },
    {
      table: "teardown_tasks",
      column: "sealed",
      purpose: GRANT_PURPOSE,
      only: { column: "kind", value: "apple_grant" },
    },
  ],
  externalCleanups: { apple_grant: { seal: listSealedGrants, cleanUp: revokeSealedGrant } },
  relations: [
    {
      table: "external_identities",
      column: "user_id",
      topic: "ways_in",
      onDeletion: "delete",
      export: "identities",
    },
  ],
  exports,
  notices: ["identity_connected", "identity_removed", "account_claimed"],
  audit: ["account.claimed", "identity.connected", "identity.removed"],
  // Consents outlive the audit log; this entry shows whose they are.
  evidence: ["account.claimed"],
});
