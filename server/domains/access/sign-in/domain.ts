import { createHandler } from "@/server/core/contract";
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
import { deleteExpiredReviewsJob, deleteExpiredSignInSecretsJob, sendPasswordResetJob } from "./jobs";
import { handleAdditionReview, handleIntrusionReport } from "./service/addition-review";
import { explainAccountGates, explainAddressGates } from "./service/explain-gates";
import { confirmIdentityProof, startIdentityProof } from "./service/identity-proof";
import { login } from "./service/login";
import { requestPasswordReset } from "./service/request-reset";
import { resetPasswordByLink } from "./service/reset-password";
import { finishSignInWithCode, finishSignInWithRecoveryCode, sendSignInCode } from "./service/second-factor";

export const signIn = domain({
  operations: {
    login: createHandler(loginOperation, login),
    sendCode: createHandler(sendTwoFactorCode, sendSignInCode),
    challenge: createHandler(challengeTwoFactor, finishSignInWithCode),
    recover: createHandler(recoverTwoFactor, finishSignInWithRecoveryCode),
    forgotPassword: createHandler(forgotPassword, requestPasswordReset),
    resetPassword: createHandler(resetPassword, resetPasswordByLink),
    startIdentityCheck: createHandler(startIdentityCheck, startIdentityProof),
    confirmIdentity: createHandler(confirmIdentity, confirmIdentityProof),
    report: createHandler(reportIntrusion, handleIntrusionReport),
    review: createHandler(reviewAdditions, handleAdditionReview),
    explain: createHandler(explainGates, explainAccountGates),
    explainAddress: createHandler(explainAddress, explainAddressGates),
  },
  jobs: {
    send_password_reset: job(sendPasswordResetJob),
    forget_sign_ins: job(deleteExpiredSignInSecretsJob, { cron: "33 * * * *", catchUp: "1d" }),
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
