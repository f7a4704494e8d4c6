import * as z from "zod";
import type { ErrorSpecs } from "@/server/core/errors";
import { User } from "@/server/domains/accounts/profile/contract";

export const subscriptionErrors = {
  orders_full: { status: 422, shape: "failure" },
  order_closed: { status: 422, shape: "failure" },
  billing_of_owner: {
    status: 403,
    shape: "failure",
    fields: z
      .strictObject({
        contact: z
          .strictObject({ name: User.shape.name, email: User.shape.email })
          .meta({ description: "Account that handles the billing." }),
      })
      .meta({ id: "BillingOfOwner", description: "The owner handles the billing." }),
  },
} as const satisfies ErrorSpecs;
