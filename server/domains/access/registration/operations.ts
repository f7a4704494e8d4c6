import { handle } from "@/server/core/contract";
import { register } from "./contract";
import * as registration from "./service";

export const registrationOperations = {
  register: handle(register, registration.register),
};
