import * as z from "zod";
import { type ErrorSpecs, MailFailure, MailSteps } from "@/server/core/errors";

export const mailAccountErrors = {
  mail_account_missing: { status: 404, shape: "failure" },
  mail_account_failed: {
    status: 422,
    shape: "failure",
    fields: z
      .strictObject({
        reason: MailFailure.meta({ description: "Why the mail server refused." }),
        steps: MailSteps,
      })
      .meta({ id: "MailAccountFailed", description: "The mail server refused." }),
  },
} as const satisfies ErrorSpecs;
