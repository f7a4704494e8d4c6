import * as z from "zod";
import { operation } from "@/server/core/contract";
import {
  createdAt,
  flag,
  ipAddress,
  mapOf,
  message,
  recordId,
  success,
  timestamp,
} from "@/server/core/schema";
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

export const Consents = z
  .object(
    Object.fromEntries(
      CONSENTS.map((key) => [
        key,
        flag.nullish().meta({ description: `True to give the consent \`${key}\`.` }),
      ]),
    ) as Record<ConsentKey, z.ZodOptional<z.ZodNullable<typeof flag>>>,
  )
  .meta({
    id: "Consents",
    description: "Consents the person gives. Every key is optional; a missing key means not given.",
    example: MANDATORY_GIVEN,
  });
export type Consents = z.infer<typeof Consents>;

/** Mandatory consents that were not given, in the contract's order. */
export function missingConsents(consents: Consents | null | undefined): MandatoryConsent[] {
  return MANDATORY_CONSENTS.filter((key) => consents?.[key] !== true);
}

const version = z.string().meta({ example: CONSENT_VERSIONS.terms });
const language = z.string().meta({ description: "Language the text was shown in.", example: "tr" });
const source = z.string().meta({ description: "Source of the answer.", example: "register" });
const hash = z.string().meta({
  description: "SHA-256 of the text in the language it was shown in.",
  example: "9f2c4e6a8b0d1f3c5e7a9b1d3f5c7e9a0b2d4f6c8e0a1b3d5f7c9e1a2b4d6f8c",
});

const Consent = z
  .object({
    key: z.enum(CONSENTS).meta({ description: "Key of the consent." }),
    mandatory: z.boolean().meta({ description: "True when the service requires it." }),
    granted: z.boolean().nullable().meta({ description: "Current answer; null if never asked." }),
    text_version: version
      .nullable()
      .meta({ description: "Version the person agreed to; null if never asked." }),
    current_version: version.meta({ description: "Version in force." }),
    since: timestamp
      .nullable()
      .meta({ description: "When the current answer was given; null if never asked." }),
    locale: language.nullable().meta({ description: "Language the text was shown in; null if never asked." }),
    ip: ipAddress.nullable().meta({ description: "IP address the answer came from; null if unknown." }),
    source: source.nullable().meta({ description: "Source of the answer; null if never asked." }),
  })
  .meta({ id: "Consent", description: "Current state of a consent." });

const ConsentEntry = z
  .object({
    id: recordId,
    key: z.enum(CONSENTS).meta({ description: "Key of the consent." }),
    granted: z.boolean().meta({ description: "True when given, false when withdrawn." }),
    text_version: version.meta({ description: "Version of the text." }),
    text_hash: hash,
    locale: language,
    ip: ipAddress.nullable().meta({ description: "IP address of the client; null if unknown." }),
    source,
    created_at: createdAt,
    hash: hash
      .nullable()
      .meta({ description: "Hash that chains this entry to all earlier ones; null once it was erased." }),
  })
  .meta({ id: "ConsentEntry", description: "A consent that was given or withdrawn." });

const mandatory = z.array(z.enum(MANDATORY_CONSENTS)).meta({ example: [] });
const state = {
  missing_consents: mandatory.meta({
    description: "Mandatory consents to give before creating sites; usually empty.",
  }),
  changed_consents: mandatory.meta({
    description: "Mandatory consents whose text has changed since they were given.",
  }),
  consents: z.array(Consent).meta({ description: "Current state of each consent." }),
  data: z.array(Consent).meta({ description: "Same as `consents`." }),
  history: z.array(ConsentEntry).meta({ description: "Latest 200 changes, newest first." }),
};

export const getConsents = operation({
  id: "getConsents",
  method: "GET",
  path: "/api/profile/consents",
  tag: "Profile",
  summary: "List the consents of the account with their history",
  description: "`data` repeats `consents`.",
  access: "token",
  withoutFactor: true,
  viewAs: false,
  output: z.object({ success, ...state }),
});

export const changeConsents = operation({
  id: "changeConsents",
  method: "PUT",
  path: "/api/profile/consents",
  tag: "Profile",
  summary: "Give or withdraw consents",
  description:
    "Each changed consent is recorded with the current text. Accounts opened through an identity provider give the " +
    "mandatory consents here, as does anyone after a text has changed. Mandatory consents cannot be withdrawn.",
  access: "token",
  withoutFactor: true,
  ability: "profile:write",
  body: z.object({ consents: mapOf(Consents).meta({ description: "New answers, by key." }) }),
  output: z.object({ success, message, ...state }),
  errors: ["consents_mandatory"],
});
