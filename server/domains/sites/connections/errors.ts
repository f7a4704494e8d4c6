import * as z from "zod";
import type { ErrorSpecs } from "@/server/core/errors";

/** Why a party did not let a connection be made or changed: a class, never the party's own text. */
export const RefusedReason = z
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
        reason: RefusedReason.meta({ description: "Why the provider refused the connection." }),
      })
      .meta({ id: "ConnectionRefused", description: "The channel's provider refused the connection." }),
  },
  /** It, or what it shares with others of its account, is being removed. */
  connection_in_cleanup: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
