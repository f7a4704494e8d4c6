import * as z from "zod";
import type { ErrorSpecs } from "@/server/core/errors";

export const proofErrors = {
  identity_unproven: {
    status: 403,
    shape: "failure",
    fields: z
      .strictObject({
        requires_identity: z.literal(true),
        methods: z.array(z.string()).meta({ example: ["totp", "recovery"] }),
      })
      .meta({ id: "IdentityUnproven" }),
  },
} as const satisfies ErrorSpecs;

type ProofErrors = typeof proofErrors;
declare module "@/server/core/errors" {
  interface ErrorTable extends ProofErrors {}
}
