import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { resendVerification, verifyEmail } from "./contract";
import { verificationErrors } from "./errors";
import { forgetVerificationsJob, resendVerificationJob } from "./jobs";
import * as service from "./service/verify";

export const verification = domain({
  operations: {
    verify: handle(verifyEmail, service.verify),
    resend: handle(resendVerification, service.resend),
  },
  jobs: {
    resend_verification: job(resendVerificationJob),
    forget_verifications: job(forgetVerificationsJob, { cron: "19 * * * *", fill: "1d" }),
  },
  relations: [
    {
      table: "email_verifications",
      column: "user_id",
      topic: "profile",
      onDeletion: "delete",
      export: { leftOut: "digests of links and codes that live a day" },
    },
  ],
  mails: ["verify_email"],
  audit: ["account.email_verified"],
  errors: verificationErrors,
  tokens: { dsv: "link in a verification mail" },
});
