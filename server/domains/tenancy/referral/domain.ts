import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { checkReferralCode, getReferral, putReferral } from "./contract";
import { checkCodeAvailability, readReferral, updateReferral } from "./service";

export const referral = domain({
  operations: {
    get: handle(getReferral, readReferral),
    checkCode: handle(checkReferralCode, checkCodeAvailability),
    update: handle(putReferral, updateReferral),
  },
  audit: ["referral.changed"],
});
