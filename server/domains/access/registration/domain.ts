import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { register } from "./contract";
import { registrationErrors } from "./errors";
import * as service from "./service";

export const registration = domain({
  operations: {
    register: handle(register, service.register),
  },
  errors: registrationErrors,
});
