import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { getReferral, putReferral } from "./contract";
import { get, update } from "./service";

export const referral = domain({
  operations: {
    get: handle(getReferral, get),
    update: handle(putReferral, update),
  },
  audit: ["referral.changed"],
});
