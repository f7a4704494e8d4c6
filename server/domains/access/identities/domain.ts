import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  connectIdentity,
  listIdentities,
  removeIdentity,
  signInWithApple,
  signInWithGoogle,
  startConnecting,
} from "./contract";
import { archiveReaders } from "./export";
import { deleteExpiredIdTokensJob, exchangeAppleCodeJob } from "./jobs";
import {
  APPLE_GRANT_SEAL_PURPOSE,
  listSealedAppleGrants,
  revokeSealedAppleGrant,
} from "./service/apple-grant";
import { identityServices } from "./service/external-services";
import {
  connectOwnIdentity,
  listOwnIdentities,
  removeOwnIdentity,
  startOwnConnection,
} from "./service/manage";
import { signInWithAppleToken, signInWithGoogleToken } from "./service/sign-in";

export const identities = domain({
  operations: {
    signInWithGoogle: createHandler(signInWithGoogle, signInWithGoogleToken),
    signInWithApple: createHandler(signInWithApple, signInWithAppleToken),
    list: createHandler(listIdentities, listOwnIdentities),
    startConnecting: createHandler(startConnecting, startOwnConnection),
    connect: createHandler(connectIdentity, connectOwnIdentity),
    remove: createHandler(removeIdentity, removeOwnIdentity),
  },
  jobs: {
    exchange_apple_code: job(exchangeAppleCodeJob),
    forget_id_tokens: job(deleteExpiredIdTokensJob, { cron: "17 * * * *", catchUp: "1d" }),
  },
  externalServices: identityServices,
  sealedColumns: [
    { table: "external_identities", column: "grant_sealed", purpose: APPLE_GRANT_SEAL_PURPOSE },
    {
      table: "teardown_tasks",
      column: "sealed",
      purpose: APPLE_GRANT_SEAL_PURPOSE,
      condition: { column: "kind", value: "apple_grant" },
    },
  ],
  externalCleanups: { apple_grant: { seal: listSealedAppleGrants, cleanUp: revokeSealedAppleGrant } },
  relations: [
    {
      table: "external_identities",
      column: "user_id",
      topic: "ways_in",
      onDeletion: "delete",
      export: "identities",
    },
  ],
  exports: archiveReaders,
  notices: ["identity_connected", "identity_removed", "account_claimed"],
  audit: ["account.claimed", "identity.connected", "identity.removed"],
  // Kept as long as consents, because it shows which owner gave them.
  evidence: ["account.claimed"],
});
