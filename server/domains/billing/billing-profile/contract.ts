import * as z from "zod";
import { operation } from "@/server/core/contract";
import { letterCodeText, ungroupedText } from "@/server/core/normalise";
import { email, line, message, success, updatedAt } from "@/server/core/schema";
import { isTaxNumber } from "./policy";

const kind = z.enum(["person", "company"]).meta({ description: "Person or company.", example: "company" });
const title = line({ max: 255 }).meta({
  description: "Name of the person or the company.",
  example: "Kaya Kahve Ltd. Şti.",
});

/** Whom invoices are made out to. A tax number that is left out stays, null forgets it; other fields are replaced. */
export const BillingProfileInput = z.object({
  kind,
  title,
  tax_number: z
    .string()
    .max(64)
    .overwrite(ungroupedText)
    .max(20)
    .refine(isTaxNumber, { error: "validation.tax_number" })
    .nullish()
    .meta({ description: "Tax number (VKN or TCKN). Write-only.", example: "10000000146" }),
  tax_office: line({ max: 100 })
    .nullish()
    .meta({ description: "Tax office; null if none.", example: "Beyoğlu" }),
  address: line({ max: 500 })
    .nullish()
    .meta({ description: "Street and number; null if none.", example: "İstiklal Cad. 1" }),
  district: line({ max: 100 }).nullish().meta({ description: "District; null if none.", example: "Beyoğlu" }),
  city: line({ max: 100 }).nullish().meta({ description: "City; null if none.", example: "İstanbul" }),
  country: z
    .string()
    .max(64)
    .overwrite(letterCodeText)
    .regex(/^[A-Z]{2}$/, { error: "validation.country" })
    .nullish()
    .meta({ description: "ISO 3166 country code, two letters; `TR` when omitted.", example: "TR" }),
  email: email.nullish().meta({ description: "E-mail address for invoices; null for that of the account." }),
});

const shownTitle = z
  .string()
  .meta({ description: "Name of the person or the company.", example: "Kaya Kahve Ltd. Şti." });

/** Whom an invoice is made out to, as people read it: of the tax number the last four digits. */
export const BillTo = z.object({
  kind: z.string().meta({ description: "Person or company.", example: "company" }),
  title: shownTitle.nullable().meta({ description: "Name of the person or the company; null if unknown." }),
  tax_number_last_four: z
    .string()
    .nullable()
    .meta({ description: "Last four digits of the tax number; null if none.", example: "0146" }),
  tax_office: z.string().nullable().meta({ description: "Tax office; null if none.", example: "Beyoğlu" }),
  address: z
    .string()
    .nullable()
    .meta({ description: "Street and number; null if none.", example: "İstiklal Cad. 1" }),
  district: z.string().nullable().meta({ description: "District; null if none.", example: "Beyoğlu" }),
  city: z.string().nullable().meta({ description: "City; null if none.", example: "İstanbul" }),
  country: z.string().meta({ description: "ISO 3166 country code, two letters.", example: "TR" }),
  email: z
    .string()
    .nullable()
    .meta({ description: "E-mail address for invoices; null if none.", example: "muhasebe@example.com" }),
});

const BillingProfile = BillTo.extend({ kind, title: shownTitle, updated_at: updatedAt }).meta({
  id: "BillingProfile",
  description: "Billing details of an account.",
});

export const getBillingProfile = operation({
  id: "getBillingProfile",
  method: "GET",
  path: "/api/billing/profile",
  tag: "Billing",
  summary: "Get the billing details",
  description:
    "`profile` is null until one is saved. Only the last four digits of the tax number are shown. `data` repeats " +
    "`profile`.",
  access: "token",
  viewAs: false,
  output: z.object({
    success,
    profile: BillingProfile.nullable().meta({ description: "Billing details; null until saved." }),
    data: BillingProfile.nullable().meta({ description: "Same as `profile`." }),
  }),
});

export const putBillingProfile = operation({
  id: "putBillingProfile",
  method: "PUT",
  path: "/api/billing/profile",
  tag: "Billing",
  summary: "Save the billing details",
  description:
    "The tax number is a VKN of 10 or a TCKN of 11 digits with valid check digits; when omitted it stays unchanged, null " +
    "deletes it. Invoices of recorded payments do not change, except those that wait for complete billing details.",
  access: "token",
  ability: "profile:write",
  limit: { points: 60, per: 3600, by: "account" },
  body: BillingProfileInput,
  output: z.object({ success, message, profile: BillingProfile, data: BillingProfile }),
});
