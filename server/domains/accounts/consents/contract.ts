import * as z from "zod";
import { operation } from "@/server/core/contract";
import { flag, ipAddress, mapOf, message, recordId, success, timestamp } from "@/server/core/schema";
import { CONSENTS, type ConsentKey, MANDATORY_CONSENTS, type MandatoryConsent } from "./policy";

export { CONSENTS, type ConsentKey, MANDATORY_CONSENTS, type MandatoryConsent } from "./policy";

/**
 * Versions of the texts in messages `consents.<key>.text`; raise one when its text changes its meaning. The panel
 * asks again for a mandatory one that was given to an older version.
 */
export const CONSENT_VERSIONS: Record<ConsentKey, string> = {
  terms: "2026-11-01",
  privacy: "2026-11-01",
  yurtdisi: "2026-11-01",
  cagri_kayit: "2026-11-01",
  marketing: "2026-11-01",
  analytics: "2026-11-01",
  cookie_marketing: "2026-11-01",
};

/** As much as an account needs. */
export const MANDATORY_GIVEN = { terms: true, privacy: true, yurtdisi: true, cagri_kayit: true } as const;

/** The consents a person gives. All keys are optional in the payload; what is missing counts as not given. */
export const Consents = z
  .object(
    Object.fromEntries(CONSENTS.map((key) => [key, flag.nullish()])) as Record<
      ConsentKey,
      z.ZodOptional<z.ZodNullable<typeof flag>>
    >,
  )
  .meta({ id: "Consents", example: MANDATORY_GIVEN });
export type Consents = z.infer<typeof Consents>;

/** Mandatory consents that were not given, in the contract's order. */
export function missingConsents(consents: Consents | null | undefined): MandatoryConsent[] {
  return MANDATORY_CONSENTS.filter((key) => consents?.[key] !== true);
}

const version = z.string().meta({ example: CONSENT_VERSIONS.terms });
const language = z.string().meta({ example: "tr" });
const source = z.string().meta({ example: "register" });
const hash = z.string().meta({ example: "9f2c4e6a8b0d1f3c5e7a9b1d3f5c7e9a0b2d4f6c8e0a1b3d5f7c9e1a2b4d6f8c" });

const Consent = z
  .object({
    key: z.enum(CONSENTS),
    mandatory: z.boolean(),
    /** null: never asked. */
    granted: z.boolean().nullable(),
    /** The version that was agreed to, and the one that is shown now. */
    text_version: version.nullable(),
    current_version: version,
    since: timestamp.nullable(),
    locale: language.nullable(),
    ip: ipAddress.nullable(),
    source: source.nullable(),
  })
  .meta({ id: "Consent" });

const ConsentEntry = z
  .object({
    id: recordId,
    key: z.enum(CONSENTS),
    granted: z.boolean(),
    text_version: version,
    /** SHA-256 of the text in the language it was shown in. */
    text_hash: hash,
    locale: language,
    ip: ipAddress.nullable(),
    source,
    created_at: timestamp,
    /** Binds the row to everything before it. */
    hash: hash.nullable(),
  })
  .meta({ id: "ConsentEntry" });

const mandatory = z.array(z.enum(MANDATORY_CONSENTS)).meta({ example: [] });
const state = {
  /** Mandatory ones an account still has to give before it creates sites; none for most accounts. */
  missing_consents: mandatory,
  /** Mandatory ones whose text has changed since they were given. */
  changed_consents: mandatory,
  consents: z.array(Consent),
  data: z.array(Consent),
  /** The newest 200 rows of the ledger, newest first. */
  history: z.array(ConsentEntry),
};

export const getConsents = operation({
  id: "getConsents",
  method: "GET",
  path: "/api/profile/consents",
  tag: "Profile",
  summary: "List the consents of the account, with their history",
  description: "`data` repeats `consents`.",
  access: "token",
  withoutFactor: true,
  viewAs: false,
  status: 200,
  output: z.object({ success, ...state }),
});

export const changeConsents = operation({
  id: "changeConsents",
  method: "PUT",
  path: "/api/profile/consents",
  tag: "Profile",
  summary: "Give or withdraw consents",
  description:
    "Each consent that changes is recorded with the current text. Mandatory consents are given here by accounts that " +
    "were opened through an identity provider, and again after their text has changed; they cannot be withdrawn.",
  access: "token",
  withoutFactor: true,
  ability: "profile:write",
  body: z.object({ consents: mapOf(Consents) }),
  status: 200,
  output: z.object({ success, message, ...state }),
  errors: ["consents_mandatory"],
});
