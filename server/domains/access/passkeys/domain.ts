import { handle } from "@/server/core/contract";
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
import { exports } from "./export";
import { deleteExpiredChallengesJob } from "./jobs";
import * as login from "./service/login";
import * as manage from "./service/manage";
import * as register from "./service/register";

export const passkeys = domain({
  operations: {
    loginOptions: handle(passkeyLoginOptions, login.options),
    login: handle(passkeyLoginVerify, login.verify),
    prove: handle(proveByPasskey, login.prove),
    list: handle(listPasskeys, manage.list),
    registerOptions: handle(passkeyRegisterOptions, register.options),
    register: handle(passkeyRegisterVerify, register.verify),
    rename: handle(renamePasskey, manage.rename),
    remove: handle(deletePasskey, manage.remove),
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
  exports,
  notices: ["passkey_added", "passkey_removed"],
  audit: ["passkey.added", "passkey.removed", "passkey.counter_regressed"],
});
