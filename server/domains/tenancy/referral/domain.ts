import { createHandler } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { checkReferralCode, getEarningSeries, getReferral, putReferral } from "./contract";
import { checkCodeAvailability, readReferral, sumEarningsOverTime, updateReferral } from "./service";

export const referral = domain({
  operations: {
    get: createHandler(getReferral, readReferral),
    series: createHandler(getEarningSeries, sumEarningsOverTime),
    checkCode: createHandler(checkReferralCode, checkCodeAvailability),
    update: createHandler(putReferral, updateReferral),
  },
  audit: ["referral.changed"],
});
