import * as z from "zod";
import { operation } from "@/server/core/contract";
import { maskedEmail, message, success } from "@/server/core/schema";

/** Public: whoever reads the old mailbox need not be signed in. */
export const undoEmailChange = operation({
  id: "undoEmailChange",
  method: "POST",
  path: "/api/auth/undo-email-change",
  tag: "Profile",
  summary: "Undo a change of e-mail address",
  description:
    "Uses the link that was mailed to the old address; it works for 72 hours. Restores the old address and its " +
    "verification, ends every session and key, and removes the password and every sign-in method added since 72 hours " +
    "before the change.",
  access: "public",
  limit: { points: 20, per: 900, by: "ip", durable: true },
  body: z.object({
    token: z.string().max(255).meta({ description: "Token from the mailed link.", example: "dsc_…" }),
  }),
  status: 200,
  output: z.object({
    success,
    message,
    masked_email: maskedEmail.meta({ description: "The restored e-mail address, masked." }),
  }),
  errors: ["email_change_invalid"],
});
