import * as z from "zod";
import { flag } from "@/server/core/schema";

/** Consents that an account cannot be opened without (contract 2.2). */
export const MANDATORY_CONSENTS = ["terms", "privacy", "yurtdisi", "cagri_kayit"] as const;
export const OPTIONAL_CONSENTS = ["marketing", "analytics", "cookie_marketing"] as const;
export const CONSENTS = [...MANDATORY_CONSENTS, ...OPTIONAL_CONSENTS] as const;
export type ConsentKey = (typeof CONSENTS)[number];

/** Version of the texts in messages `consents.<key>.text`; raise it when a text changes its meaning. */
export const CONSENT_VERSION = "2026-11-01";

/** The consents a person gives. All keys are optional in the payload; what is missing counts as not given. */
export const Consents = z.object(
  Object.fromEntries(CONSENTS.map((key) => [key, flag.nullish()])) as Record<
    ConsentKey,
    z.ZodOptional<z.ZodNullable<typeof flag>>
  >,
);
export type Consents = z.infer<typeof Consents>;

/** Mandatory consents that were not given, in the contract's order. */
export function missingConsents(consents: Consents | null | undefined): ConsentKey[] {
  return MANDATORY_CONSENTS.filter((key) => consents?.[key] !== true);
}
