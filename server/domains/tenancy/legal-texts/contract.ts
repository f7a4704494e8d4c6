import * as z from "zod";
import { operation } from "@/server/core/contract";
import { listOutput } from "@/server/core/list";
import { LOCALES, type Locale } from "@/server/core/locale";
import { block, flag, ipAddress, line, message, success, timestamp } from "@/server/core/schema";
import { CONSENTS } from "@/server/domains/accounts/consents/contract";
import { LEGAL_TEXT_MAX, LEGAL_TEXTS } from "./policy";

const key = z.enum(LEGAL_TEXTS).meta({ description: "Key of the legal text.", example: "terms" });
const version = z.string().meta({ description: "Version in force.", example: "2027-01" });
const locale = z.enum(LOCALES).meta({ description: "Language of the text.", example: "tr" });

const LegalText = z
  .object({
    key,
    version,
    published_at: timestamp
      .nullable()
      .meta({ description: "When it was published; null for the text shipped with the software." }),
    locales: z
      .array(locale)
      .meta({ description: "Languages with their own text; the others show the Turkish one." }),
    asked: z
      .int()
      .meta({ description: "Number of accounts that a new version would ask again.", example: 120 }),
  })
  .meta({ id: "LegalText", description: "A legal text in force." });

const Bodies = z
  .object(
    Object.fromEntries(
      LOCALES.map((each) => [
        each,
        z
          .string()
          .nullable()
          .meta({ description: `Text in the language \`${each}\`; null if there is none.`, example: null }),
      ]),
    ) as Record<Locale, z.ZodNullable<z.ZodString>>,
  )
  .meta({ id: "LegalTextBodies", description: "Texts by language." });

export const listLegalTexts = operation({
  id: "listLegalTexts",
  method: "GET",
  path: "/api/admin/legal-texts",
  tag: "Platform",
  summary: "List the legal texts in force",
  access: "token",
  ability: "admin:*",
  output: listOutput("texts", LegalText, "Legal texts in force."),
});

export const getLegalText = operation({
  id: "getLegalText",
  method: "GET",
  path: "/api/admin/legal-texts/{key}",
  tag: "Platform",
  summary: "Get a legal text in every language",
  access: "token",
  ability: "admin:*",
  record: "LegalText",
  params: z.object({ key }),
  output: z.object({
    success,
    text: LegalText.extend({ bodies: Bodies }).meta({ description: "The legal text." }),
  }),
  errors: ["record_not_found"],
});

const body = block({ max: LEGAL_TEXT_MAX }).meta({ example: "1. Subject" });
/** Turkish is read where there is no other text. */
const bodies = z
  .object({
    ...(Object.fromEntries(
      LOCALES.map((each) => [
        each,
        body.nullish().meta({ description: `Text in the language \`${each}\`; null for none.` }),
      ]),
    ) as Record<Locale, z.ZodOptional<z.ZodNullable<typeof body>>>),
    tr: body.meta({ description: "Text in Turkish, required." }),
  })
  .meta({ description: "Texts by language." });

const Change = z.object({
  kind: z
    .enum(["added", "removed"])
    .meta({ description: "Whether the paragraph was added or removed.", example: "added" }),
  text: z.string().meta({ description: "Text of the paragraph.", example: "4. Payment" }),
});

export const readLegalText = operation({
  id: "readLegalText",
  method: "GET",
  path: "/api/public/legal-texts/{key}",
  tag: "Profile",
  summary: "Read a legal text",
  description:
    "The version in force, in the language of the request or else in Turkish. Empty lines separate paragraphs; a first " +
    "line that begins with a number is a heading. `changes` compares it with the previous version and is empty if there " +
    "is none.",
  access: "public",
  limit: { points: 60, per: 60, by: "ip" },
  params: z.object({ key: z.enum(CONSENTS).meta({ description: "Key of the consent.", example: "terms" }) }),
  output: z.object({
    success,
    text: LegalText.pick({ key: true, version: true, published_at: true })
      .extend({
        locale,
        body: z
          .string()
          .meta({ description: "The text; empty lines separate paragraphs.", example: "1. Subject" }),
        previous_version: version.nullable().meta({ description: "Previous version; null for the first." }),
        changes: z
          .array(Change)
          .meta({ description: "Paragraphs added or removed since the previous version." }),
      })
      .meta({ description: "The legal text." }),
  }),
  errors: ["record_not_found"],
});

export const previewLegalText = operation({
  id: "previewLegalText",
  method: "POST",
  path: "/api/admin/legal-texts/{key}/preview",
  tag: "Platform",
  summary: "Preview a new version of a legal text",
  access: "token",
  ability: "admin:*",
  record: "LegalText",
  params: z.object({ key }),
  body: z.object({ bodies }),
  output: z.object({
    success,
    fallback: z.array(locale).meta({ description: "Languages that would show the Turkish text." }),
    asked: z.int().meta({ description: "Number of people who would be asked again.", example: 120 }),
    changes: z
      .array(
        z.object({
          locale,
          paragraphs: z.array(Change).meta({ description: "Added and removed paragraphs." }),
        }),
      )
      .meta({ description: "Added and removed paragraphs by language; unchanged languages are omitted." }),
  }),
  errors: ["record_not_found"],
});

export const publishLegalText = operation({
  id: "publishLegalText",
  method: "POST",
  path: "/api/admin/legal-texts/{key}",
  tag: "Platform",
  summary: "Publish a new version of a legal text",
  description:
    "Needs a fresh proof of identity. Permanent: a published text is never changed. Languages without a text show the " +
    "Turkish one, which is required. People who gave a mandatory consent to an older version are asked again at their " +
    "next visit. `days` is how long older signatures of the reseller agreement stay valid, by default the setting " +
    "`agreement_grace_days`. 409 `stale` if the version in force is not `expected_version`.",
  access: "token",
  ability: "admin:*",
  record: "LegalText",
  limit: { points: 30, per: 3600, by: "account" },
  params: z.object({ key }),
  body: z.object({
    version: line({ max: 40 }).meta({ description: "Name of the new version.", example: "2027-01" }),
    bodies,
    days: z.int().min(0).max(365).nullish().meta({
      description: "Days older signatures of the reseller agreement stay valid; the setting when omitted.",
      example: 14,
    }),
    expected_version: line({ max: 40 }).meta({
      description: "Version in force that the caller last saw.",
      example: "0",
    }),
  }),
  status: 201,
  output: z.object({
    success,
    message,
    text: LegalText.extend({ bodies: Bodies }).meta({ description: "The legal text." }),
  }),
  errors: ["identity_unproven", "record_not_found", "stale"],
});

const agreementVersion = z.string().meta({ example: "0" });
const agreementLocale = z.string().meta({ example: "tr" });
const hash = z.string().meta({ example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" });

const Signature = z
  .object({
    version: agreementVersion.meta({ description: "Version of the agreement." }),
    locale: agreementLocale.meta({ description: "Language of the signed text." }),
    typed_name: z.string().meta({ description: "Name as the signer typed it.", example: "Selin Arslan" }),
    signed_at: timestamp.meta({ description: "When it was signed." }),
    ip: ipAddress.nullable().meta({ description: "IP address of the client; null if unknown." }),
    text_hash: hash.meta({ description: "SHA-256 of the signed text." }),
    hash: hash.meta({ description: "Hash that chains this signature to all earlier ones." }),
  })
  .meta({ id: "AgreementSignature", description: "A signature of the agreement." });

const Agreement = z
  .object({
    version: agreementVersion.meta({ description: "Version in force." }),
    locale: agreementLocale.meta({
      description: "Language of the text; Turkish where there is no translation.",
    }),
    body: z.string().meta({
      description: "Text of the agreement; empty lines separate paragraphs.",
      example: "1. Subject",
    }),
    text_hash: hash.meta({ description: "SHA-256 of the text." }),
    published_at: timestamp
      .nullable()
      .meta({ description: "When it was published; null for the text shipped with the software." }),
    signed: z.boolean().meta({ description: "True when a valid signature of the caller exists." }),
    signed_version: agreementVersion
      .nullable()
      .meta({ description: "Version the caller signed; `paper` for a signature on paper, null if none." }),
    signed_at: timestamp.nullable().meta({ description: "When the caller signed; null if not yet." }),
    due: z.boolean().meta({
      description: "True when the caller has to sign this text, now or when an older signature expires.",
    }),
    due_by: timestamp.nullable().meta({ description: "When an older signature expires; null if none does." }),
    changes: z
      .array(
        z.object({
          kind: z
            .enum(["same", "added", "removed"])
            .meta({ description: "Whether the paragraph is unchanged, added or removed.", example: "added" }),
          text: z.string().meta({ description: "Text of the paragraph.", example: "4. Payment" }),
        }),
      )
      .nullable()
      .meta({ description: "Changes since the version the caller signed; null if that text is unknown." }),
    signatures: z.array(Signature).meta({ description: "Signatures of the caller, newest first." }),
  })
  .meta({ id: "Agreement", description: "The reseller agreement and the caller's signatures." });

const output = z.object({ success, agreement: Agreement });

export const getAgreement = operation({
  id: "getAgreement",
  method: "GET",
  path: "/api/reseller/agreement",
  tag: "Resellers",
  summary: "Get the reseller agreement and the caller's signatures",
  description:
    "Open to resellers who have not signed. The text is in the language of the request where a translation exists.",
  access: "token",
  ability: "reseller:read",
  output,
});

export const signAgreement = operation({
  id: "signAgreement",
  method: "POST",
  path: "/api/reseller/agreement",
  tag: "Resellers",
  summary: "Sign the reseller agreement",
  description:
    "Needs a session or a token from a sign-in, and a fresh proof of identity. `typed_name` is the name of the account, " +
    "in any case. 422 if another version was published since `version` was read. Signing a version again changes nothing.",
  access: "token",
  ability: "*",
  limit: { points: 20, per: 3600, by: "account" },
  body: z.object({
    version: line({ max: 40 }).meta({ description: "Version that is signed.", example: "0" }),
    typed_name: line({ max: 255 }).meta({
      description: "Name of the account, as confirmation.",
      example: "Selin Arslan",
    }),
    accepted: flag.meta({ description: "Must be true." }),
  }),
  status: 201,
  output: output.extend({ message }),
  errors: ["identity_unproven"],
});
