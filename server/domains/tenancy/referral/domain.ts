import { createHandler } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { checkReferralCode, getReferral, putReferral } from "./contract";
import { checkCodeAvailability, readReferral, updateReferral } from "./service";

export const referral = domain({
  operations: {
    get: createHandler(getReferral, readReferral),
    checkCode: createHandler(checkReferralCode, checkCodeAvailability),
    update: createHandler(putReferral, updateReferral),
  },
  audit: ["referral.changed"],
});
