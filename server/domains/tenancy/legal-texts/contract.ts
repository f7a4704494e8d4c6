import * as z from "zod";
import { operation } from "@/server/core/contract";
import { LOCALES, type Locale } from "@/server/core/locale";
import { block, count, line, message, success, timestamp } from "@/server/core/schema";
import { CONSENTS } from "@/server/domains/accounts/consents/contract";
import { LEGAL_TEXT_MAX, LEGAL_TEXTS } from "./policy";

const key = z.enum(LEGAL_TEXTS).meta({ example: "terms" });
const version = z.string().meta({ example: "2027-01" });
const locale = z.enum(LOCALES).meta({ example: "tr" });

const LegalText = z
  .object({
    key,
    /** The one in force. */
    version,
    /** Null for the text that the software comes with. */
    published_at: timestamp.nullable(),
    /** Languages that have a text of their own; the others read the Turkish one. */
    locales: z.array(locale),
    /** Accounts that a new version asks again, or whose signature it replaces. */
    asked: z.int().meta({ example: 120 }),
  })
  .meta({ id: "LegalText" });

/** By language. */
const Bodies = z
  .object(
    Object.fromEntries(
      LOCALES.map((each) => [each, z.string().nullable().meta({ example: null })]),
    ) as Record<Locale, z.ZodNullable<z.ZodString>>,
  )
  .meta({ id: "LegalTextBodies" });

export const listLegalTexts = operation({
  id: "listLegalTexts",
  method: "GET",
  path: "/api/admin/legal-texts",
  tag: "Platform",
  summary: "List the legal texts in force",
  access: "token",
  ability: "admin:*",
  status: 200,
  output: z.object({ success, texts: z.array(LegalText), data: z.array(LegalText), count }),
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
  output: z.object({ success, text: LegalText.extend({ bodies: Bodies }) }),
  errors: ["record_not_found"],
});

const body = block({ max: LEGAL_TEXT_MAX }).meta({ example: "1. Subject" });
/** Turkish is read where there is no other text. */
const bodies = z.object({
  ...(Object.fromEntries(LOCALES.map((each) => [each, body.nullish()])) as Record<
    Locale,
    z.ZodOptional<z.ZodNullable<typeof body>>
  >),
  tr: body,
});

const Change = z.object({
  kind: z.enum(["added", "removed"]).meta({ example: "added" }),
  text: z.string().meta({ example: "4. Payment" }),
});

export const readLegalText = operation({
  id: "readLegalText",
  method: "GET",
  path: "/api/public/legal-texts/{key}",
  tag: "Profile",
  summary: "Read what people agree to",
  description:
    "The version in force, in the language of the request or else in Turkish. Empty lines part paragraphs; a first line that " +
    "begins with a number is a heading. `changes` compares it with the version before; it is empty when there is none.",
  access: "public",
  limit: { points: 60, per: 60, by: "ip" },
  params: z.object({ key: z.enum(CONSENTS).meta({ example: "terms" }) }),
  status: 200,
  output: z.object({
    success,
    text: LegalText.pick({ key: true, version: true, published_at: true }).extend({
      locale,
      body: z.string().meta({ example: "1. Subject" }),
      previous_version: version.nullable(),
      /** Paragraphs that came and went. */
      changes: z.array(Change),
    }),
  }),
  errors: ["record_not_found"],
});

export const previewLegalText = operation({
  id: "previewLegalText",
  method: "POST",
  path: "/api/admin/legal-texts/{key}/preview",
  tag: "Platform",
  summary: "See what a new version of a legal text would change",
  access: "token",
  ability: "admin:*",
  record: "LegalText",
  params: z.object({ key }),
  body: z.object({ bodies }),
  status: 200,
  output: z.object({
    success,
    /** Languages that would read the Turkish text. */
    fallback: z.array(locale),
    asked: z.int().meta({ example: 120 }),
    /** By language, the paragraphs that come and go; languages without a change are left out. */
    changes: z.array(
      z.object({
        locale,
        paragraphs: z.array(Change),
      }),
    ),
  }),
  errors: ["record_not_found"],
});

export const publishLegalText = operation({
  id: "publishLegalText",
  method: "POST",
  path: "/api/admin/legal-texts/{key}",
  tag: "Platform",
  summary: "Publish a version of a legal text",
  description:
    "Needs a fresh proof of identity. " +
    "For good: a published text is never changed. Languages without a text read the Turkish one, which must be there. People " +
    "who gave a mandatory consent to an older version are asked again at their next visit; `days` is how long older " +
    `signatures of the reseller agreement count, \`agreement_grace_days\` of the settings unless given. 409 \`stale\` when another version than ` +
    "`expected_version` is in force.",
  access: "token",
  ability: "admin:*",
  record: "LegalText",
  limit: { points: 30, per: 3600, by: "account" },
  params: z.object({ key }),
  body: z.object({
    version: line({ max: 40 }).meta({ example: "2027-01" }),
    bodies,
    days: z.int().min(0).max(365).nullish().meta({ example: 14 }),
    expected_version: line({ max: 40 }).meta({ example: "0" }),
  }),
  status: 201,
  output: z.object({ success, message, text: LegalText.extend({ bodies: Bodies }) }),
  errors: ["identity_unproven", "record_not_found", "stale"],
});
