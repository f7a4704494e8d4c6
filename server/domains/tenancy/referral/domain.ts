import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { checkReferralCode, getReferral, putReferral } from "./contract";
import { checkCode, get, update } from "./service";

export const referral = domain({
  operations: {
    get: handle(getReferral, get),
    checkCode: handle(checkReferralCode, checkCode),
    update: handle(putReferral, update),
  },
  audit: ["referral.changed"],
});
