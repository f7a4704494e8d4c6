import * as z from "zod";
import { type ErrorSpecs, MailFailure, MailSteps } from "@/server/core/errors";

export const mailAccountErrors = {
  mail_account_missing: { status: 404, shape: "failure" },
  mail_account_failed: {
    status: 422,
    shape: "failure",
    fields: z
      .strictObject({
        reason: MailFailure.meta({ description: "Why the test mail could not be sent." }),
        steps: MailSteps,
      })
      .meta({ id: "MailAccountFailed", description: "The test mail could not be sent." }),
  },
} as const satisfies ErrorSpecs;
