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
            "Methods that the account can use. `totp`, `email`, `sms`: its second factors; a recovery code is accepted instead. " +
            "`password`: only without a second factor. `passkey`: if it has one. `sign_in`: the account has none of these, " +
            "so only a new sign-in proves the identity.",
          example: ["totp", "passkey"],
        }),
      })
      .meta({ id: "IdentityUnproven", description: "The caller must prove their identity first." }),
  },
} as const satisfies ErrorSpecs;
