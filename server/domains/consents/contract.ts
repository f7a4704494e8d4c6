import * as z from "zod";
import { operation } from "@/server/core/contract";
import { flag, success } from "@/server/core/schema";

/** Consents that an account cannot be opened without (contract 2.2). */
export const MANDATORY_CONSENTS = ["terms", "privacy", "yurtdisi", "cagri_kayit"] as const;
export const OPTIONAL_CONSENTS = ["marketing", "analytics", "cookie_marketing"] as const;
export const CONSENTS = [...MANDATORY_CONSENTS, ...OPTIONAL_CONSENTS] as const;
export type ConsentKey = (typeof CONSENTS)[number];
export type MandatoryConsent = (typeof MANDATORY_CONSENTS)[number];

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
export function missingConsents(consents: Consents | null | undefined): MandatoryConsent[] {
  return MANDATORY_CONSENTS.filter((key) => consents?.[key] !== true);
}

/** Mandatory consents an account still has to give before it creates sites; none for most accounts. */
const missing = z.array(z.enum(MANDATORY_CONSENTS));

export const getConsents = operation({
  id: "getConsents",
  method: "GET",
  path: "/api/profile/consents",
  tag: "Profile",
  summary: "Mandatory consents that are still to be given",
  access: "token",
  status: 200,
  answer: z.object({ success, missing_consents: missing }),
});

export const giveConsents = operation({
  id: "giveConsents",
  method: "PUT",
  path: "/api/profile/consents",
  tag: "Profile",
  summary: "Give consents after the account was opened",
  description:
    "For accounts that were opened through an identity provider. Each key that is present is recorded, with the text as " +
    "it reads now; a mandatory one cannot be refused here. The answer names what is still missing.",
  access: "token",
  ability: "profile:write",
  body: z.object({ consents: Consents }),
  status: 200,
  answer: z.object({ success, message: z.string(), missing_consents: missing }),
  errors: ["consents_missing"],
});
