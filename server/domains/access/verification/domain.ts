import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { twilioParty } from "@/server/infrastructure/sms/party";
import {
  confirmPhone,
  getPhone,
  resendVerification,
  sendPhoneCode,
  undoEmailChange,
  verifyEmail,
} from "./contract";
import { exports } from "./export";
import { forgetVerificationsJob, resendVerificationJob } from "./jobs";
import { confirm, get, sendCode } from "./service/phone";
import { undo } from "./service/undo";
import * as service from "./service/verify";

export const verification = domain({
  operations: {
    verify: handle(verifyEmail, service.verify),
    resend: handle(resendVerification, service.resend),
    undoEmailChange: handle(undoEmailChange, undo),
    getPhone: handle(getPhone, get),
    sendPhoneCode: handle(sendPhoneCode, sendCode),
    confirmPhone: handle(confirmPhone, confirm),
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
      export: { leftOut: "digests of links and codes that expire after a day" },
    },
    {
      table: "email_changes",
      column: "user_id",
      topic: "profile",
      onDeletion: "delete",
      export: "address_changes",
    },
    {
      table: "phone_codes",
      column: "user_id",
      topic: "profile",
      onDeletion: "delete",
      export: { leftOut: "digest of a code that expires after minutes" },
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
  exports,
  parties: { twilio: twilioParty },
});
