import * as z from "zod";
import type { ErrorSpecs } from "@/server/core/errors";

export const userErrors = {
  identity_unproven: {
    status: 403,
    shape: "failure",
    fields: z
      .strictObject({
        requires_identity: z.literal(true).meta({ description: "Always true: prove the identity first." }),
        methods: z.array(z.string()).meta({
          description:
            "Accepted methods: the account's second factors (`totp`, `email`, `sms`; a recovery code replaces them), or " +
            "`password` if it has none, and `passkey`. `sign_in`: only a new sign-in can prove the identity.",
          example: ["totp", "passkey"],
        }),
      })
      .meta({ id: "IdentityUnproven", description: "The caller must prove their identity first." }),
  },
} as const satisfies ErrorSpecs;
