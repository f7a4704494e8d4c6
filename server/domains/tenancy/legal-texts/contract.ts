import * as z from "zod";
import { operation } from "@/server/core/contract";
import { LOCALES, type Locale } from "@/server/core/locale";
import { block, count, line, message, success, timestamp } from "@/server/core/schema";
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
  status: 200,
  output: z.object({
    success,
    texts: z.array(LegalText).meta({ description: "Legal texts in force." }),
    data: z.array(LegalText).meta({ description: "Same as `texts`." }),
    count,
  }),
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
  status: 200,
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
  status: 200,
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
  status: 200,
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
