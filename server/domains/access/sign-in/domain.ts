import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  challengeTwoFactor,
  confirmIdentity,
  explainAddress,
  explainGates,
  forgotPassword,
  login as loginOperation,
  recoverTwoFactor,
  reportIntrusion,
  resetPassword,
  reviewAdditions,
  sendTwoFactorCode,
  startIdentityCheck,
} from "./contract";
import { deleteExpiredReviewsJob, deleteExpiredSignInsJob, sendPasswordResetJob } from "./jobs";
import { explain, explainEmail } from "./service/explain";
import { confirm, startCheck } from "./service/identity";
import { login } from "./service/login";
import { requestReset } from "./service/request-reset";
import { reset } from "./service/reset";
import { report, review } from "./service/review";
import { challenge, recover, sendCode } from "./service/second-factor";

export const signIn = domain({
  operations: {
    login: handle(loginOperation, login),
    sendCode: handle(sendTwoFactorCode, sendCode),
    challenge: handle(challengeTwoFactor, challenge),
    recover: handle(recoverTwoFactor, recover),
    forgotPassword: handle(forgotPassword, requestReset),
    resetPassword: handle(resetPassword, reset),
    startIdentityCheck: handle(startIdentityCheck, startCheck),
    confirmIdentity: handle(confirmIdentity, confirm),
    report: handle(reportIntrusion, report),
    review: handle(reviewAdditions, review),
    explain: handle(explainGates, explain),
    explainAddress: handle(explainAddress, explainEmail),
  },
  jobs: {
    send_password_reset: job(sendPasswordResetJob),
    forget_sign_ins: job(deleteExpiredSignInsJob, { cron: "33 * * * *", catchUp: "1d" }),
    forget_reviews: job(deleteExpiredReviewsJob, { cron: "38 * * * *", catchUp: "1d" }),
  },
  relations: [
    {
      table: "interim_tokens",
      column: "user_id",
      topic: "sign_ins",
      onDeletion: "delete",
      export: { omittedBecause: "digests of pending sign-ins, kept for ten minutes" },
    },
    {
      table: "password_resets",
      column: "user_id",
      topic: "ways_in",
      onDeletion: "delete",
      export: { omittedBecause: "digest of a link that expires after an hour" },
    },
    {
      table: "addition_reviews",
      column: "user_id",
      topic: "ways_in",
      onDeletion: "delete",
      export: { omittedBecause: "digest of a link that expires after three days" },
    },
  ],
  mails: ["reset_password", "sign_in_code", "email_change_stopped"],
  audit: [
    "sign_in.succeeded",
    "sign_in.failed",
    "sign_in.refused",
    "sign_in.throttled",
    "password.reset",
    "identity.proven",
    "identity.refused",
    "recovery_code.used",
  ],
  tokens: {
    dsr: "link in a password mail",
    dsi: "sign-in pending its second factor",
    dst: "trusted device",
    dsm: "link to a review of recent additions",
  },
  notices: ["additions_ended"],
});
