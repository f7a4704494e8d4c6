import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { listReferralResellers, listSignUpRefusals, register } from "./contract";
import { deleteOldRefusalsJob } from "./jobs";
import { listRefusals } from "./service/refusals";
import * as service from "./service/register";

export const registration = domain({
  operations: {
    register: handle(register, service.register),
    listResellers: handle(listReferralResellers, service.searchReferralResellers),
    listRefusals: handle(listSignUpRefusals, listRefusals),
  },
  jobs: { forget_refusals: job(deleteOldRefusalsJob, { cron: "12 3 * * *", catchUp: "1d" }) },
});
