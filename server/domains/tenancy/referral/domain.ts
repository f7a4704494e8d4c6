import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { getReferral, listReferralResellers, putReferral } from "./contract";
import { get, list, update } from "./service";

export const referral = domain({
  operations: {
    list: handle(listReferralResellers, list),
    get: handle(getReferral, get),
    update: handle(putReferral, update),
  },
  audit: ["referral.changed"],
});
