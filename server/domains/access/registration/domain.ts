import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { listReferralResellers, register } from "./contract";
import { registrationErrors } from "./errors";
import * as service from "./service";

export const registration = domain({
  operations: {
    register: handle(register, service.register),
    listResellers: handle(listReferralResellers, service.listResellers),
  },
  errors: registrationErrors,
});
