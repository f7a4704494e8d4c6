import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { checkReferralCode, getReferral, putReferral } from "./contract";
import { checkCode, readOwnReferral, updateReferral } from "./service";

export const referral = domain({
  operations: {
    get: handle(getReferral, readOwnReferral),
    checkCode: handle(checkReferralCode, checkCode),
    update: handle(putReferral, updateReferral),
  },
  audit: ["referral.changed"],
});
