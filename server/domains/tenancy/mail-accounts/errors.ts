import * as z from "zod";
import { type ErrorSpecs, MailFailure, MailSteps } from "@/server/core/errors";

export const mailAccountErrors = {
  mail_account_missing: { status: 404, shape: "failure" },
  mail_account_failed: {
    status: 422,
    shape: "failure",
    fields: z
      .strictObject({
        reason: MailFailure.meta({
          description:
            "Why the test mail could not be sent. `unreachable`: no connection to the server. " +
            "`private_host`: the host is not on the public internet. `tls`: no secure connection. `auth`: " +
            "user name or password refused. `sender`: sender address refused. `recipient`: the caller's " +
            "address refused. `refused`: mail refused for another reason.",
          example: "auth",
        }),
        steps: MailSteps.meta({
          example: [
            { step: "connect", outcome: "done" },
            { step: "tls", outcome: "done" },
            { step: "sign_in", outcome: "failed" },
            { step: "sender", outcome: "not_reached" },
            { step: "sent", outcome: "not_reached" },
          ],
        }),
      })
      .meta({ id: "MailAccountFailed", description: "The test mail could not be sent." }),
  },
} as const satisfies ErrorSpecs;
