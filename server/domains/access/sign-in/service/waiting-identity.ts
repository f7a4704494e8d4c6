import * as z from "zod";
import { IdentityProvider } from "@/server/infrastructure/database/generated/enums";

/** An identity whose sign-in waits for the second factor, as `interim_tokens` keep it; `grant` is sealed. */
export const WaitingIdentity = z.strictObject({
  provider: z.enum(IdentityProvider),
  issuer: z.string(),
  subject: z.string(),
  email: z.string(),
  grant: z.string().nullable(),
});
export type WaitingIdentity = z.output<typeof WaitingIdentity>;
