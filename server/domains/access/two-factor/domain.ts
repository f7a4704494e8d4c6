import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import {
  confirmSms,
  confirmTotp,
  enableEmailFactor,
  listTwoFactorMethods,
  removeFactor,
  renewRecoveryCodes,
  startSms,
  startTotp,
} from "./contract";
import { twoFactorErrors } from "./errors";
import { exports } from "./export";
import { list } from "./service/factors";
import { renew } from "./service/recovery";
import { confirm, enableEmail, remove, start } from "./service/set-up";
import * as sms from "./service/sms";
import { TOTP_PURPOSE } from "./service/verify";

export const twoFactor = domain({
  operations: {
    list: handle(listTwoFactorMethods, list),
    startTotp: handle(startTotp, start),
    confirmTotp: handle(confirmTotp, confirm),
    enableEmail: handle(enableEmailFactor, enableEmail),
    startSms: handle(startSms, sms.start),
    confirmSms: handle(confirmSms, sms.confirm),
    remove: handle(removeFactor, remove),
    renewRecoveryCodes: handle(renewRecoveryCodes, renew),
  },
  sealed: [
    // Of a telephone it is the digest of a code.
    {
      table: "factors",
      column: "secret_sealed",
      purpose: TOTP_PURPOSE,
      only: { column: "kind", value: "totp" },
    },
  ],
  relations: [
    { table: "factors", column: "user_id", topic: "ways_in", onDeletion: "delete", export: "two_factor" },
    {
      table: "recovery_codes",
      column: "user_id",
      topic: "ways_in",
      onDeletion: "delete",
      export: "two_factor",
    },
  ],
  exports,
  notices: ["two_factor_enabled", "two_factor_removed"],
  audit: ["two_factor.enabled", "two_factor.removed", "two_factor.throttled", "recovery_codes.renewed"],
  errors: twoFactorErrors,
});
