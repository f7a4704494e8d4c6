import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { listOutput } from "@/server/core/list";
import { LOCALES, type Locale } from "@/server/core/locale";
import { block, flag, ipAddress, line, message, timestamp } from "@/server/core/schema";
import { CONSENTS } from "@/server/domains/accounts/consents/contract";
import { LEGAL_TEXT_MAX, LEGAL_TEXTS } from "./policy";

const key = f.oneOf(LEGAL_TEXTS, "Key of the legal text.", "terms");
const version = f.text("Version in force.", "2027-01");
const locale = f.oneOf(LOCALES, "Language of the text.", "tr");

const LegalText = f.named("LegalText", "A legal text in force.", {
  key,
  version,
  published_at: f.nullable(timestamp, "When it was published; null for the text shipped with the software."),
  locales: f.list(locale, "Languages with their own text; the others show the Turkish one."),
  asked: f.integer("Number of accounts that a new version would ask again.", 120),
});

const Bodies = f.named(
  "LegalTextBodies",
  "Texts by language.",
  Object.fromEntries(
    LOCALES.map((each) => [
      each,
      f.nullable(z.string(), `Text in the language \`${each}\`; null if there is none.`, null),
    ]),
  ) as Record<Locale, z.ZodNullable<z.ZodString>>,
);

const ADMIN = { tag: "Platform", access: "token", ability: "admin:*" } as const;

export const listLegalTexts = operation({
  id: "listLegalTexts",
  method: "GET",
  path: "/api/admin/legal-texts",
  ...ADMIN,
  summary: "List the legal texts in force",
  output: listOutput("texts", LegalText, "Legal texts in force."),
});

export const getLegalText = operation({
  id: "getLegalText",
  method: "GET",
  path: "/api/admin/legal-texts/{key}",
  ...ADMIN,
  summary: "Get a legal text in every language",
  record: "LegalText",
  params: z.object({ key }),
  output: f.success({ text: LegalText.extend({ bodies: Bodies }).meta({ description: "The legal text." }) }),
  errors: ["record_not_found"],
});

const body = block({ max: LEGAL_TEXT_MAX }).meta({ example: "1. Subject" });
/** Turkish is read where there is no other text. */
const bodies = z
  .object({
    ...(Object.fromEntries(
      LOCALES.map((each) => [each, f.nullish(body, `Text in the language \`${each}\`; null for none.`)]),
    ) as Record<Locale, z.ZodOptional<z.ZodNullable<typeof body>>>),
    tr: body.meta({ description: "Text in Turkish, required." }),
  })
  .meta({ description: "Texts by language." });

const Change = z.object({
  kind: f.oneOf(["added", "removed"], "Whether the paragraph was added or removed.", "added"),
  text: f.text("Text of the paragraph.", "4. Payment"),
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
  params: z.object({ key: f.oneOf(CONSENTS, "Key of the consent.", "terms") }),
  output: f.success({
    text: LegalText.pick({ key: true, version: true, published_at: true })
      .extend({
        locale,
        body: f.text("The text; empty lines separate paragraphs.", "1. Subject"),
        previous_version: f.nullable(version, "Previous version; null for the first."),
        changes: f.list(Change, "Paragraphs added or removed since the previous version."),
      })
      .meta({ description: "The legal text." }),
  }),
  errors: ["record_not_found"],
});

export const previewLegalText = operation({
  id: "previewLegalText",
  method: "POST",
  path: "/api/admin/legal-texts/{key}/preview",
  ...ADMIN,
  summary: "Preview a new version of a legal text",
  record: "LegalText",
  params: z.object({ key }),
  body: z.object({ bodies }),
  output: f.success({
    fallback: f.list(locale, "Languages that would show the Turkish text."),
    asked: f.integer("Number of people who would be asked again.", 120),
    changes: f.list(
      z.object({
        locale,
        paragraphs: f.list(Change, "Added and removed paragraphs."),
      }),
      "Added and removed paragraphs by language; unchanged languages are omitted.",
    ),
  }),
  errors: ["record_not_found"],
});

export const publishLegalText = operation({
  id: "publishLegalText",
  method: "POST",
  path: "/api/admin/legal-texts/{key}",
  ...ADMIN,
  summary: "Publish a new version of a legal text",
  description:
    "Needs a fresh proof of identity. Permanent: a published text is never changed. Languages without a text show the " +
    "Turkish one, which is required. People who gave a mandatory consent to an older version are asked again at their " +
    "next visit. `days` is how long older signatures of the reseller agreement stay valid, by default the setting " +
    "`agreement_grace_days`. 409 `stale` if the version in force is not `expected_version`.",
  record: "LegalText",
  limit: { points: 30, per: 3600, by: "account" },
  params: z.object({ key }),
  body: z.object({
    version: line({ max: 40 }).meta({ description: "Name of the new version.", example: "2027-01" }),
    bodies,
    days: f.nullish(
      z.int().min(0).max(365),
      "Days older signatures of the reseller agreement stay valid; the setting when omitted.",
      14,
    ),
    expected_version: line({ max: 40 }).meta({
      description: "Version in force that the caller last saw.",
      example: "0",
    }),
  }),
  status: 201,
  output: f.changed({ text: LegalText.extend({ bodies: Bodies }).meta({ description: "The legal text." }) }),
  errors: ["identity_unproven", "record_not_found", "stale"],
});

const agreementVersion = z.string().meta({ example: "0" });
const agreementLocale = z.string().meta({ example: "tr" });
const hash = z.string().meta({ example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" });

const Signature = f.named("AgreementSignature", "A signature of the agreement.", {
  version: agreementVersion.meta({ description: "Version of the agreement." }),
  locale: agreementLocale.meta({ description: "Language of the signed text." }),
  typed_name: f.text("Name as the signer typed it.", "Selin Arslan"),
  signed_at: timestamp.meta({ description: "When it was signed." }),
  ip: f.nullable(ipAddress, "IP address of the client; null if unknown."),
  text_hash: hash.meta({ description: "SHA-256 of the signed text." }),
  hash: hash.meta({ description: "Hash that chains this signature to all earlier ones." }),
});

const Agreement = f.named("Agreement", "The reseller agreement and the caller's signatures.", {
  version: agreementVersion.meta({ description: "Version in force." }),
  locale: agreementLocale.meta({
    description: "Language of the text; Turkish where there is no translation.",
  }),
  body: f.text("Text of the agreement; empty lines separate paragraphs.", "1. Subject"),
  text_hash: hash.meta({ description: "SHA-256 of the text." }),
  published_at: f.nullable(timestamp, "When it was published; null for the text shipped with the software."),
  signed: f.boolean("True when a valid signature of the caller exists."),
  signed_version: f.nullable(
    agreementVersion,
    "Version the caller signed; `paper` for a signature on paper, null if none.",
  ),
  signed_at: f.nullable(timestamp, "When the caller signed; null if not yet."),
  due: f.boolean("True when the caller has to sign this text: by `due_by`, or now if that is null."),
  due_by: f.nullable(timestamp, "When an older signature expires; null if none does."),
  changes: f.nullable(
    z.array(
      z.object({
        kind: f.oneOf(
          ["same", "added", "removed"],
          "Whether the paragraph is unchanged, added or removed.",
          "added",
        ),
        text: f.text("Text of the paragraph.", "4. Payment"),
      }),
    ),
    "Changes since the version the caller signed; null if that text is unknown.",
  ),
  signatures: f.list(Signature, "Signatures of the caller, newest first."),
});

const output = f.success({ agreement: Agreement });

export const getAgreement = operation({
  id: "getAgreement",
  method: "GET",
  path: "/api/reseller/agreement",
  tag: "Resellers",
  summary: "Get the reseller agreement and the caller's signatures",
  description:
    "Also open to resellers who have not signed yet. The text is in the language of the request where a translation exists.",
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
