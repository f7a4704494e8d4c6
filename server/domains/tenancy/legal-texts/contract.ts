import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { listOutput } from "@/server/core/list";
import { LOCALES, type Locale } from "@/server/core/locale";
import { flag, ipAddress, message, textBlock, textLine, timestamp } from "@/server/core/schema";
import { CONSENTS } from "@/server/domains/accounts/consents/contract";
import { LEGAL_TEXT_MAX_LENGTH, LEGAL_TEXTS } from "./policy";

const key = f.oneOf(
  LEGAL_TEXTS,
  "Key of the legal text: a consent, or `agreement` for the reseller agreement.",
  "terms",
);
const version = f.text("Version in force.", "2027-01");
const locale = f.oneOf(LOCALES, "Language of the text.", "tr");

const LegalText = f.namedObject("LegalText", "Legal text in force.", {
  key,
  version,
  published_at: f.nullable(timestamp, "When it was published; null for the text shipped with the software."),
  locales: f.list(locale, "Languages that have a text. Other languages show the Turkish one.", ["tr", "en"]),
  asked: f.integer(
    "Number of accounts that must agree again once a new version is published; 0 for optional consents.",
    120,
  ),
});

const BODY_EXAMPLES: Partial<Record<Locale, string>> = { tr: "1. Konu", en: "1. Subject" };
const Bodies = f.namedObject(
  "LegalTextBodies",
  "Texts by language.",
  Object.fromEntries(
    LOCALES.map((textLocale) => [
      textLocale,
      f.nullable(
        z.string(),
        `Text in the language \`${textLocale}\`; null if there is none.`,
        BODY_EXAMPLES[textLocale] ?? null,
      ),
    ]),
  ) as Record<Locale, z.ZodNullable<z.ZodString>>,
);

const ADMIN_OPERATION = { tag: "Platform", access: "token", ability: "admin:*" } as const;

export const listLegalTexts = operation({
  id: "listLegalTexts",
  method: "GET",
  path: "/api/admin/legal-texts",
  ...ADMIN_OPERATION,
  summary: "List the legal texts in force",
  output: listOutput("texts", LegalText, "Legal texts in force."),
});

export const getLegalText = operation({
  id: "getLegalText",
  method: "GET",
  path: "/api/admin/legal-texts/{key}",
  ...ADMIN_OPERATION,
  summary: "Get a legal text in every language",
  record: "LegalText",
  params: z.object({ key }),
  output: f.success({ text: LegalText.extend({ bodies: Bodies }).meta({ description: "The legal text." }) }),
  errors: ["record_not_found"],
});

const textInput = textBlock({ max: LEGAL_TEXT_MAX_LENGTH }).meta({ example: "1. Subject" });
const bodiesInput = z
  .object({
    ...(Object.fromEntries(
      LOCALES.map((textLocale) => [
        textLocale,
        f.nullish(textInput, `Text in the language \`${textLocale}\`; null for none.`),
      ]),
    ) as Record<Locale, z.ZodOptional<z.ZodNullable<typeof textInput>>>),
    tr: textInput.meta({ description: "Text in Turkish, required.", example: "1. Konu" }),
  })
  .meta({ description: "Texts by language. Languages without a text show the Turkish one." });

const ParagraphChange = z.object({
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
    "Returns the version in force in the language of the request, or in Turkish if there is no " +
    "translation. Empty lines separate paragraphs. If the first line of a paragraph begins with a number, " +
    "it is a heading. `changes` compares the text with the previous version. It is empty if there is no " +
    "previous version. 404 for the reseller agreement.",
  access: "public",
  limit: { points: 60, per: 60, by: "ip" },
  params: z.object({ key: f.oneOf(CONSENTS, "Key of the consent.", "terms") }),
  output: f.success({
    text: LegalText.pick({ key: true, version: true, published_at: true })
      .extend({
        locale: f.oneOf(LOCALES, "Language of the text.", "en"),
        body: f.text("The text; empty lines separate paragraphs.", "1. Subject\n\n4. Payment"),
        previous_version: f.nullable(
          f.text("Previous version.", "2026-06"),
          "Previous version; null for the first.",
          "2026-06",
        ),
        changes: f.list(ParagraphChange, "Paragraphs added or removed since the previous version."),
      })
      .meta({ description: "The legal text." }),
  }),
  errors: ["record_not_found"],
});

export const previewLegalText = operation({
  id: "previewLegalText",
  method: "POST",
  path: "/api/admin/legal-texts/{key}/preview",
  ...ADMIN_OPERATION,
  summary: "Preview a new version of a legal text",
  record: "LegalText",
  params: z.object({ key }),
  body: z.object({ bodies: bodiesInput }),
  output: f.success({
    fallback: f.list(locale, "Languages that have no text. They would show the Turkish one.", ["de", "fr"]),
    asked: f.integer("Number of accounts that must agree again once this version is published.", 120),
    changes: f.list(
      z.object({
        locale: f.oneOf(LOCALES, "Language of the text.", "en"),
        paragraphs: f.list(ParagraphChange, "Added and removed paragraphs."),
      }),
      "Changes by language; unchanged languages are omitted.",
    ),
  }),
  errors: ["record_not_found"],
});

export const publishLegalText = operation({
  id: "publishLegalText",
  method: "POST",
  path: "/api/admin/legal-texts/{key}",
  ...ADMIN_OPERATION,
  summary: "Publish a new version of a legal text",
  description:
    "Needs a recent proof of identity. A published text can never be changed or removed. Accounts that " +
    "gave a mandatory consent to an older version must agree again at their next visit; optional consents " +
    "stay. Resellers must sign a new `agreement` within `days`. 409 `stale` if the version in force is not " +
    "`expected_version`. 422 if the name of the version is taken.",
  record: "LegalText",
  limit: { points: 30, per: 3600, by: "account" },
  params: z.object({ key }),
  body: z.object({
    version: textLine({ max: 40 }).meta({
      description: "Name of the new version: letters, digits, `.`, `_` and `-`; not `0` or `paper`.",
      example: "2027-01",
    }),
    bodies: bodiesInput,
    days: f.nullish(
      z.int().min(0).max(365),
      "Only for `agreement`: days for which older signatures stay valid, 0 to 365. The default is the " +
        "setting `agreement_grace_days`.",
      14,
    ),
    expected_version: textLine({ max: 40 }).meta({
      description: "Version in force that the caller last saw.",
      example: "2026-06",
    }),
  }),
  status: 201,
  output: f.changeOutput({
    text: LegalText.extend({ bodies: Bodies }).meta({ description: "The legal text." }),
  }),
  errors: ["identity_unproven", "record_not_found", "stale"],
});

const agreementVersion = z.string().meta({ example: "2027-01" });
const agreementLocale = z.string().meta({ example: "en" });
const textHash = z
  .string()
  .meta({ example: "a9d89608170f8204a4d4bfaa7d8e5b33f178fed04859592f19bb297ff016fd2a" });
const signedAt = timestamp.meta({ example: "2027-11-21T14:05:00.000000Z" });

const Signature = f.namedObject("AgreementSignature", "Signature of the reseller agreement.", {
  version: agreementVersion.meta({ description: "Version of the agreement." }),
  locale: agreementLocale.meta({ description: "Language of the signed text." }),
  typed_name: f.text("Name as the signer typed it.", "Selin Arslan"),
  signed_at: signedAt.meta({ description: "When it was signed." }),
  ip: f.nullable(ipAddress, "IP address of the client; null if unknown."),
  text_hash: textHash.meta({ description: "SHA-256 of the signed text, in hexadecimal." }),
  hash: z.string().meta({
    description: "Keyed hash of this signature and the previous one, which can be another reseller's.",
    example: "9414886b1ebf025db067a4cbd13a0903fbd9733a5372bba1b58bd72c1699b798",
  }),
});

const Agreement = f.namedObject("Agreement", "The reseller agreement and the caller's signatures.", {
  version: agreementVersion.meta({ description: "Version in force." }),
  locale: agreementLocale.meta({
    description: "Language of the text; Turkish if there is no translation.",
  }),
  body: f.text("Text of the agreement; empty lines separate paragraphs.", "1. Subject"),
  text_hash: textHash.meta({ description: "SHA-256 of the text, in hexadecimal." }),
  published_at: f.nullable(timestamp, "When it was published; null for the text shipped with the software."),
  signed: f.boolean(
    "True when the caller's latest signature is valid. Only then do the reseller operations work.",
  ),
  signed_version: f.nullable(
    agreementVersion,
    "Version the caller signed; `paper` for a signature on paper, null if none.",
  ),
  signed_at: f.nullable(signedAt, "When the caller last signed; null if not yet."),
  due: f.boolean(
    "True if the caller still has to sign this version: by `due_by` or, if that is null, before using the " +
      "reseller operations.",
    false,
  ),
  due_by: f.nullable(
    timestamp,
    "When the caller's signature of an older version expires; null if none is still valid.",
    null,
  ),
  changes: f.nullable(
    z.array(
      z.object({
        kind: f.oneOf(["same", "added", "removed"], "`same` for an unchanged paragraph.", "added"),
        text: f.text("Text of the paragraph.", "4. Payment"),
      }),
    ),
    "All paragraphs, compared with the version that the caller signed. Null if no newer version is in " +
      "force or the signed text is unknown, as for `paper`.",
    null,
  ),
  signatures: f.list(Signature, "Signatures of the caller, newest first."),
});

const agreementOutput = f.success({ agreement: Agreement });

export const getAgreement = operation({
  id: "getAgreement",
  method: "GET",
  path: "/api/reseller/agreement",
  tag: "Resellers",
  summary: "Get the reseller agreement and the caller's signatures",
  description:
    "Only for resellers, also before they have signed; 403 for other roles. The text is in the language of " +
    "the request, or in Turkish if there is no translation.",
  access: "token",
  ability: "reseller:read",
  output: agreementOutput,
});

export const signAgreement = operation({
  id: "signAgreement",
  method: "POST",
  path: "/api/reseller/agreement",
  tag: "Resellers",
  summary: "Sign the reseller agreement",
  description:
    "Needs a session or a token from a sign-in, and a recent proof of identity. 403 for API keys. 422 if " +
    "`typed_name` is not the account's name (case is ignored), if `accepted` is not true, or if `version` " +
    "is not in force. Signing the same version again changes nothing.",
  access: "token",
  ability: "*",
  limit: { points: 20, per: 3600, by: "account" },
  body: z.object({
    version: textLine({ max: 40 }).meta({
      description: "Version in force that the caller has read.",
      example: "2027-01",
    }),
    typed_name: textLine({ max: 255 }).meta({
      description: "Name of the account, as confirmation.",
      example: "Selin Arslan",
    }),
    accepted: flag.meta({ description: "Must be true." }),
  }),
  status: 201,
  output: agreementOutput.extend({ message }),
  errors: ["identity_unproven"],
});
