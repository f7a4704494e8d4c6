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
    "With the `token` of the mailed link, or with `email` and the six-digit `code` of the same mail. Each works once. A " +
    "second use within 24 hours is refused with a text that says so.",
  access: "public",
  limit: { points: 20, per: 900, by: "ip", durable: true },
  body: z
    .object({
      token: z.string().max(255).meta({ example: "dsv_…" }).nullish(),
      email: email.nullish(),
      code: z.string().max(64).overwrite(codeText).meta({ example: "482913" }).nullish(),
    })
    .superRefine(({ token, email, code }, ctx) => {
      if (token || (email && code)) return;
      const missing = ["token", ...(email ? ["code"] : []), ...(code ? ["email"] : [])];
      for (const path of missing)
        ctx.addIssue({ code: "custom", message: "validation.required", path: [path] });
    })
    .meta({ example: { token: "dsv_…" } }),
  status: 200,
  output: z.object({ success, message, email_verified_at: timestamp }),
  errors: ["verification_invalid", "verification_repeated"],
});

export const resendVerification = operation({
  id: "resendVerification",
  method: "POST",
  path: "/api/auth/resend-verification",
  tag: "Registration",
  summary: "Send the verification mail again",
  description: "The response is the same for every address, whether it has an account or not.",
  access: "public",
  limit: { points: 5, per: 1800, by: "ip", durable: true },
  body: z.object({ email }),
  status: 200,
  output: Done,
});
