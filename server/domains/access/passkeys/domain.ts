import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  deletePasskey,
  listPasskeys,
  passkeyLoginOptions,
  passkeyLoginVerify,
  passkeyRegisterOptions,
  passkeyRegisterVerify,
  proveByPasskey,
  renamePasskey,
} from "./contract";
import { archiveReaders } from "./export";
import { deleteExpiredChallengesJob } from "./jobs";
import * as login from "./service/login";
import * as manage from "./service/manage";
import * as register from "./service/register";

export const passkeys = domain({
  operations: {
    loginOptions: createHandler(passkeyLoginOptions, login.startPasskeyLogin),
    login: createHandler(passkeyLoginVerify, login.finishPasskeyLogin),
    prove: createHandler(proveByPasskey, login.proveIdentityByPasskey),
    list: createHandler(listPasskeys, manage.listOwnPasskeys),
    registerOptions: createHandler(passkeyRegisterOptions, register.startPasskeyRegistration),
    register: createHandler(passkeyRegisterVerify, register.finishPasskeyRegistration),
    rename: createHandler(renamePasskey, manage.renameOwnPasskey),
    remove: createHandler(deletePasskey, manage.deleteOwnPasskey),
  },
  jobs: {
    forget_passkey_challenges: job(deleteExpiredChallengesJob, { cron: "20 * * * *", catchUp: "1d" }),
  },
  relations: [
    { table: "passkeys", column: "user_id", topic: "ways_in", onDeletion: "delete", export: "passkeys" },
    {
      table: "passkey_challenges",
      column: "user_id",
      topic: "ways_in",
      onDeletion: "delete",
      export: { omittedBecause: "random numbers that expire after five minutes" },
    },
  ],
  exports: archiveReaders,
  notices: ["passkey_added", "passkey_removed"],
  audit: ["passkey.added", "passkey.removed", "passkey.counter_regressed"],
});
