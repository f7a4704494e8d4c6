import { createHandler } from "@/server/core/contract";
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
import { archiveReaders } from "./export";
import { applyTwoFactorRequirementsJob, remindOfTwoFactorRequirementJob } from "./jobs";
import { TOTP_SEAL_PURPOSE } from "./service/consume-code";
import { listOwnFactors } from "./service/factors";
import * as ownRequirement from "./service/own-requirement";
import { renewOwnRecoveryCodes } from "./service/recovery";
import { confirmTotpFactor, enableEmailCodes, removeOwnFactor, startTotpFactor } from "./service/set-up";
import * as sms from "./service/sms";
import * as teamRequirement from "./service/team-requirement";

export const twoFactor = domain({
  operations: {
    list: createHandler(listTwoFactorMethods, listOwnFactors),
    startTotp: createHandler(startTotp, startTotpFactor),
    confirmTotp: createHandler(confirmTotp, confirmTotpFactor),
    enableEmail: createHandler(enableEmailFactor, enableEmailCodes),
    startSms: createHandler(startSms, sms.startSmsFactor),
    confirmSms: createHandler(confirmSms, sms.confirmSmsFactor),
    remove: createHandler(removeFactor, removeOwnFactor),
    renewRecoveryCodes: createHandler(renewRecoveryCodes, renewOwnRecoveryCodes),
    getDuty: createHandler(getFactorDuty, ownRequirement.getOwnRequirement),
    getTeamDuty: createHandler(getTeamFactorDuty, teamRequirement.getTeamRequirement),
    changeTeamDuty: createHandler(putTeamFactorDuty, teamRequirement.changeTeamRequirement),
  },
  sealedColumns: [
    // Only TOTP secrets are sealed; an `sms` factor stores a digest in this column.
    {
      table: "factors",
      column: "secret_sealed",
      purpose: TOTP_SEAL_PURPOSE,
      condition: { column: "kind", value: "totp" },
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
      topic: "customer_records",
      onDeletion: "delete",
      export: { omittedBecause: "a rule of the reseller for other accounts; no personal data" },
    },
  ],
  exports: archiveReaders,
  notices: ["two_factor_enabled", "two_factor_removed", "second_factor_due"],
  audit: [
    "two_factor.enabled",
    "two_factor.removed",
    "two_factor.throttled",
    "recovery_codes.renewed",
    "factor_duty.changed",
  ],
  jobs: {
    apply_factor_duties: job(applyTwoFactorRequirementsJob),
    remind_of_factor_duty: job(remindOfTwoFactorRequirementJob, { cron: "37 * * * *" }),
  },
});
