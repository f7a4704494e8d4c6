import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { createdAt, flag, ipAddress, mapSchema, recordId, timestamp } from "@/server/core/schema";
import { CONSENTS, type ConsentKey, MANDATORY_CONSENTS, type MandatoryConsent } from "./policy";

export { CONSENTS, type ConsentKey, MANDATORY_CONSENTS, type MandatoryConsent } from "./policy";

/** Raise it when the meaning of `consents.<key>.text` changes: the panel asks again for mandatory ones. */
export const CONSENT_VERSIONS: Record<ConsentKey, string> = {
  terms: "2026-11-01",
  privacy: "2026-11-01",
  yurtdisi: "2026-11-01",
  cagri_kayit: "2026-11-01",
  marketing: "2026-11-01",
  analytics: "2026-11-01",
  cookie_marketing: "2026-11-01",
};

const CONSENT_PURPOSES: Record<ConsentKey, string> = {
  terms: "terms of use",
  privacy: "privacy notice",
  yurtdisi: "transfer of personal data abroad",
  cagri_kayit: "recording of calls",
  marketing: "marketing messages",
  analytics: "analytics",
  cookie_marketing: "marketing cookies",
};

export const MANDATORY_CONSENTS_EXAMPLE = {
  terms: true,
  privacy: true,
  yurtdisi: true,
  cagri_kayit: true,
} as const;

export const Consents = z
  .object(
    Object.fromEntries(
      CONSENTS.map((key) => [
        key,
        f.nullish(
          flag,
          `Consent: ${CONSENT_PURPOSES[key]}. True gives the consent, false refuses or withdraws it.`,
        ),
      ]),
    ) as Record<ConsentKey, z.ZodOptional<z.ZodNullable<typeof flag>>>,
  )
  .meta({
    id: "Consents",
    description: `Answers by consent. An omitted key or null is not an answer. Mandatory for an account: ${MANDATORY_CONSENTS.map((key) => `\`${key}\``).join(", ")}.`,
    example: MANDATORY_CONSENTS_EXAMPLE,
  });
export type Consents = z.infer<typeof Consents>;

export function findMissingConsents(consents: Consents | null | undefined): MandatoryConsent[] {
  return MANDATORY_CONSENTS.filter((key) => consents?.[key] !== true);
}

const textVersion = z.string().meta({ example: CONSENT_VERSIONS.terms });
const textLanguage = f.text("Language the text was shown in.", "tr");
const KEY_DESCRIPTION =
  "`terms`: terms of use. `privacy`: privacy notice. `yurtdisi`: transfer of personal data abroad. `cagri_kayit`: " +
  "recording of calls. `marketing`: marketing messages. `analytics`: analytics. `cookie_marketing`: marketing cookies.";
const SOURCE_DESCRIPTION =
  "`register`: registration. `profile`: settings. `provider`: sign-up with an identity provider. `invitation`: accepted " +
  "invitation. `role`: no answer of the user. The platform recorded " +
  "a missing mandatory consent as not given, because an administrator got another role.";
const source = f.text(`Where the answer was given. ${SOURCE_DESCRIPTION}`, "register");
const textHash = f.text(
  "SHA-256 of the text in the language it was shown in.",
  "9f2c4e6a8b0d1f3c5e7a9b1d3f5c7e9a0b2d4f6c8e0a1b3d5f7c9e1a2b4d6f8c",
);

const Consent = f.namedObject("Consent", "Current state of a consent.", {
  key: f.oneOf(CONSENTS, KEY_DESCRIPTION),
  mandatory: f.boolean("True when every account needs the consent. It cannot be withdrawn."),
  granted: f.nullable(z.boolean(), "Current answer; null if never asked."),
  text_version: f.nullable(textVersion, "Version of the text that was answered; null if never asked."),
  current_version: textVersion.meta({ description: "Version of the text in force." }),
  since: f.nullable(timestamp, "When the current answer was given; null if never asked."),
  locale: f.nullable(textLanguage, "Language the text was shown in; null if never asked."),
  ip: f.nullable(ipAddress, "IP address that the answer came from; null if unknown."),
  source: f.nullable(source, `Where the answer was given; null if never asked. ${SOURCE_DESCRIPTION}`),
});

const ConsentEntry = f.namedObject("ConsentEntry", "A consent that was given or withdrawn.", {
  id: recordId,
  key: f.oneOf(CONSENTS, KEY_DESCRIPTION),
  granted: f.boolean("True when given, false when refused or withdrawn."),
  text_version: textVersion.meta({ description: "Version of the text." }),
  text_hash: textHash,
  locale: textLanguage,
  ip: f.nullable(ipAddress, "IP address of the client; null if unknown."),
  source,
  created_at: createdAt,
  hash: f.nullable(
    z.string(),
    "Hash that chains this entry to all earlier ones; null if it is not chained yet.",
    "3b7a5c1e9d2f4a6b8c0e1f3a5b7c9d1e2f4a6b8c0d2e4f6a8b0c2d4e6f8a0b2c",
  ),
});

const mandatoryKeys = z.array(z.enum(MANDATORY_CONSENTS)).meta({ example: [] });
const stateFields = {
  missing_consents: mandatoryKeys.meta({
    description:
      "Mandatory consents that are missing. While there are any, the account cannot create sites. Usually empty.",
  }),
  changed_consents: mandatoryKeys.meta({
    description:
      "Mandatory consents whose text has changed since they were given. The account is not blocked.",
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
  isAllowedWithoutFactor: true,
  viewAs: false,
  output: f.success({ ...stateFields }),
});

export const changeConsents = operation({
  id: "changeConsents",
  method: "PUT",
  path: "/api/profile/consents",
  tag: "Profile",
  summary: "Give or withdraw consents",
  description:
    "Records each changed answer with the current version of its text. Repeating an answer changes nothing. After a " +
    "sign-up with an identity provider, this call gives the mandatory consents. After a change of their text, it gives " +
    "them again. Withdrawing a mandatory consent is refused with `consents_mandatory`; then no answer is recorded.",
  access: "token",
  isAllowedWithoutFactor: true,
  ability: "profile:write",
  body: z.object({
    consents: mapSchema(Consents).meta({ description: "Answers to change, by consent. At least one." }),
  }),
  output: f.changeOutput({ ...stateFields }),
  errors: ["consents_mandatory"],
});
