import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  confirmSms,
  confirmTotp,
  enableEmailFactor,
  getFactorDuty,
  getTeamFactorDuty,
  listTwoFactorMethods,
  putTeamFactorDuty,
  removeFactor,
  renewRecoveryCodes,
  startSms,
  startTotp,
} from "./contract";
import { exports } from "./export";
import { applyFactorDutiesJob, remindOfFactorDutyJob } from "./jobs";
import { list } from "./service/factors";
import * as own from "./service/own";
import { renew } from "./service/recovery";
import { confirm, enableEmail, remove, start } from "./service/set-up";
import * as sms from "./service/sms";
import * as team from "./service/team";
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
    getDuty: handle(getFactorDuty, own.get),
    getTeamDuty: handle(getTeamFactorDuty, team.get),
    changeTeamDuty: handle(putTeamFactorDuty, team.change),
  },
  sealed: [
    // The column of an `sms` factor has a digest, which is not sealed.
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
    {
      table: "factor_duties",
      column: "reseller_id",
      topic: "customers",
      onDeletion: "delete",
      export: { omittedBecause: "a rule of the reseller for other accounts; no personal data" },
    },
  ],
  exports,
  notices: ["two_factor_enabled", "two_factor_removed", "second_factor_due"],
  audit: [
    "two_factor.enabled",
    "two_factor.removed",
    "two_factor.throttled",
    "recovery_codes.renewed",
    "factor_duty.changed",
  ],
  jobs: {
    apply_factor_duties: job(applyFactorDutiesJob),
    remind_of_factor_duty: job(remindOfFactorDutyJob, { cron: "37 * * * *" }),
  },
});
