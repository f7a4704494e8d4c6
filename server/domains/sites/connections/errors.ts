import * as z from "zod";
import type { ErrorSpecs } from "@/server/core/errors";

/** Reason codes only: a provider's own text may contain secrets. */
export const RefusalReason = z
  .enum([
    "token_refused",
    "not_found",
    "forbidden",
    "insecure",
    "not_public",
    "unreachable",
    "not_configured",
  ])
  .meta({ example: "token_refused" });

export const connectionErrors = {
  connection_refused: {
    status: 422,
    shape: "failure",
    fields: z
      .strictObject({
        reason: RefusalReason.meta({
          description:
            "Why the connection was refused. `token_refused`: the credentials are rejected. `not_found`: " +
            "the number, page, instance or server does not exist. `forbidden`: the credentials lack " +
            "rights. `insecure`: the server offers no valid encryption. `not_public`: the address is not " +
            "public. `unreachable`: no usable response. `not_configured`: this installation has no app " +
            "at the provider.",
        }),
      })
      .meta({ id: "ConnectionRefused", description: "The connection was refused; see `reason`." }),
  },
  /** The connection, or account-wide settings of its provider account, are being removed. */
  connection_in_cleanup: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
