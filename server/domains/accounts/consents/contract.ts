import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { createdAt, flag, ipAddress, mapOf, recordId, timestamp } from "@/server/core/schema";
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
      CONSENTS.map((key) => [key, f.nullish(flag, `True to give the consent \`${key}\`.`)]),
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
const language = f.text("Language the text was shown in.", "tr");
const source = f.text("Source of the answer.", "register");
const hash = f.text(
  "SHA-256 of the text in the language it was shown in.",
  "9f2c4e6a8b0d1f3c5e7a9b1d3f5c7e9a0b2d4f6c8e0a1b3d5f7c9e1a2b4d6f8c",
);

const Consent = f.named("Consent", "Current state of a consent.", {
  key: f.oneOf(CONSENTS, "Key of the consent."),
  mandatory: f.boolean("True when the service requires it."),
  granted: f.nullable(z.boolean(), "Current answer; null if never asked."),
  text_version: f.nullable(version, "Version the person agreed to; null if never asked."),
  current_version: version.meta({ description: "Version in force." }),
  since: f.nullable(timestamp, "When the current answer was given; null if never asked."),
  locale: f.nullable(language, "Language the text was shown in; null if never asked."),
  ip: f.nullable(ipAddress, "IP address the answer came from; null if unknown."),
  source: f.nullable(source, "Source of the answer; null if never asked."),
});

const ConsentEntry = f.named("ConsentEntry", "A consent that was given or withdrawn.", {
  id: recordId,
  key: f.oneOf(CONSENTS, "Key of the consent."),
  granted: f.boolean("True when given, false when withdrawn."),
  text_version: version.meta({ description: "Version of the text." }),
  text_hash: hash,
  locale: language,
  ip: f.nullable(ipAddress, "IP address of the client; null if unknown."),
  source,
  created_at: createdAt,
  hash: f.nullable(hash, "Hash that chains this entry to all earlier ones; null once it was erased."),
});

const mandatory = z.array(z.enum(MANDATORY_CONSENTS)).meta({ example: [] });
const state = {
  missing_consents: mandatory.meta({
    description: "Mandatory consents to give before creating sites; usually empty.",
  }),
  changed_consents: mandatory.meta({
    description: "Mandatory consents whose text has changed since they were given.",
  }),
  consents: f.list(Consent, "Current state of each consent."),
  data: f.list(Consent, "Same as `consents`."),
  history: f.list(ConsentEntry, "Latest 200 changes, newest first."),
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
  output: f.success({ ...state }),
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
  output: f.changed({ ...state }),
  errors: ["consents_mandatory"],
});
