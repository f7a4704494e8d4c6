import { handle } from "@/server/core/contract";
import { resendVerification, verifyEmail } from "./contract";
import * as verification from "./service";

export const verificationOperations = {
  verify: handle(verifyEmail, verification.verify),
  resend: handle(resendVerification, verification.resend),
};
