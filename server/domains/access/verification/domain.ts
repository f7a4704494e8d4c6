import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { twilioService } from "@/server/infrastructure/sms/twilio-service";
import {
  confirmPhone,
  getPhone,
  resendVerification,
  sendPhoneCode,
  undoEmailChange,
  verifyEmail,
} from "./contract";
import { archiveReaders } from "./export";
import { deleteExpiredVerificationsJob, resendVerificationJob } from "./jobs";
import { confirmPhoneNumber, getPhoneState, sendPhoneVerificationCode } from "./service/phone";
import { undoEmailChangeByLink } from "./service/undo-email-change";
import * as verifyService from "./service/verify-email";

export const verification = domain({
  operations: {
    verify: createHandler(verifyEmail, verifyService.verifyEmailAddress),
    resend: createHandler(resendVerification, verifyService.resendVerificationMail),
    undoEmailChange: createHandler(undoEmailChange, undoEmailChangeByLink),
    getPhone: createHandler(getPhone, getPhoneState),
    sendPhoneCode: createHandler(sendPhoneCode, sendPhoneVerificationCode),
    confirmPhone: createHandler(confirmPhone, confirmPhoneNumber),
  },
  jobs: {
    resend_verification: job(resendVerificationJob),
    forget_verifications: job(deleteExpiredVerificationsJob, { cron: "19 * * * *", catchUp: "1d" }),
  },
  relations: [
    {
      table: "email_verifications",
      column: "user_id",
      topic: "details",
      onDeletion: "delete",
      export: { omittedBecause: "digests of links and codes that expire after a day" },
    },
    {
      table: "email_changes",
      column: "user_id",
      topic: "details",
      onDeletion: "delete",
      export: "address_changes",
    },
    {
      table: "phone_codes",
      column: "user_id",
      topic: "details",
      onDeletion: "delete",
      export: { omittedBecause: "digest of a code that expires after minutes" },
    },
  ],
  mails: ["verify_email", "email_changed", "email_change_ended", "email_change_undone"],
  audit: [
    "account.email_verified",
    "profile.email_change_asked",
    "profile.email_changed",
    "profile.email_change_undone",
    "profile.phone_verified",
  ],
  tokens: { dsv: "link in a verification mail", dsc: "link that undoes a change of address" },
  exports: archiveReaders,
  externalServices: { twilio: twilioService },
});
