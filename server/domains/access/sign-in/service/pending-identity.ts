import * as z from "zod";
import { IdentityProvider } from "@/server/infrastructure/database/generated/enums";

/** Stored in `interim_tokens`; `grant` is sealed. */
export const PendingIdentity = z.strictObject({
  provider: z.enum(IdentityProvider),
  issuer: z.string(),
  subject: z.string(),
  email: z.string(),
  grant: z.string().nullable(),
});
export type PendingIdentity = z.output<typeof PendingIdentity>;
