import * as z from "zod";
import { operation } from "@/server/core/contract";
import { codeText } from "@/server/core/normalise";
import { Done, email, message, success, timestamp } from "@/server/core/schema";

export { UNDO_HOURS, VERIFICATION_HOURS } from "./policy";

export const verifyEmail = operation({
  id: "verifyEmail",
  method: "POST",
  path: "/api/auth/verify-email",
  tag: "Registration",
  summary: "Confirm an e-mail address",
  description:
    "Takes the `token` of the mailed link, or `email` with the six-digit `code` of the same mail. Each works once. A " +
    "second use within 24 hours is refused with a text that explains it.",
  access: "public",
  limit: { points: 20, per: 900, by: "ip", durable: true },
  body: z
    .object({
      token: z
        .string()
        .max(255)
        .nullish()
        .meta({ description: "Token from the mailed link.", example: "dsv_…" }),
      email: email.nullish().meta({ description: "E-mail address, together with `code`." }),
      code: z
        .string()
        .max(64)
        .overwrite(codeText)
        .nullish()
        .meta({ description: "Six-digit code from the mail, together with `email`.", example: "482913" }),
    })
    .superRefine(({ token, email, code }, ctx) => {
      if (token || (email && code)) return;
      const missing = ["token", ...(email ? ["code"] : []), ...(code ? ["email"] : [])];
      for (const path of missing)
        ctx.addIssue({ code: "custom", message: "validation.required", path: [path] });
    })
    .meta({ example: { token: "dsv_…" } }),
  status: 200,
  output: z.object({
    success,
    message,
    email_verified_at: timestamp.meta({ description: "When the e-mail address was verified." }),
  }),
  errors: ["verification_invalid", "verification_repeated"],
});

export const resendVerification = operation({
  id: "resendVerification",
  method: "POST",
  path: "/api/auth/resend-verification",
  tag: "Registration",
  summary: "Send the verification mail again",
  description: "The response is the same whether the address has an account or not.",
  access: "public",
  limit: { points: 5, per: 1800, by: "ip", durable: true },
  body: z.object({ email }),
  status: 200,
  output: Done,
});
