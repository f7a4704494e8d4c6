import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { getFactorDuty, getTeamFactorDuty, putTeamFactorDuty } from "./contract";
import { applyFactorDutiesJob, remindOfFactorDutyJob } from "./jobs";
import * as own from "./service/own";
import * as team from "./service/team";

export const factorDuty = domain({
  operations: {
    get: handle(getFactorDuty, own.get),
    getTeam: handle(getTeamFactorDuty, team.get),
    changeTeam: handle(putTeamFactorDuty, team.change),
  },
  jobs: {
    apply_factor_duties: job(applyFactorDutiesJob),
    remind_of_factor_duty: job(remindOfFactorDutyJob, { cron: "37 * * * *" }),
  },
  relations: [
    {
      table: "factor_duties",
      column: "reseller_id",
      topic: "customers",
      onDeletion: "delete",
      export: { leftOut: "what a reseller asks of other accounts, which tells nothing about a person" },
    },
  ],
  notices: ["second_factor_due"],
  audit: ["factor_duty.changed"],
});
