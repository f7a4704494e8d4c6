import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { getSignUpSeries, listReferralResellers, listSignUpRefusals, register } from "./contract";
import { deleteOldRefusalsJob } from "./jobs";
import { listRefusals } from "./service/refusals";
import * as registerService from "./service/register";
import { countSignUpsOverTime } from "./service/series";

export const registration = domain({
  operations: {
    register: createHandler(register, registerService.register),
    listResellers: createHandler(listReferralResellers, registerService.searchReferralResellers),
    listRefusals: createHandler(listSignUpRefusals, listRefusals),
    series: createHandler(getSignUpSeries, countSignUpsOverTime),
  },
  jobs: { forget_refusals: job(deleteOldRefusalsJob, { cron: "12 3 * * *", catchUp: "1d" }) },
});
