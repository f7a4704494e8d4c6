import * as z from "zod";
import type { ErrorSpecs } from "@/server/core/errors";

export const tokenErrors = {
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
  last_way_in: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;

type TokenErrors = typeof tokenErrors;
declare module "@/server/core/errors" {
  interface ErrorTable extends TokenErrors {}
}
