import * as z from "zod";
import { operation } from "@/server/core/contract";
import { letterCodeText, ungroupedText } from "@/server/core/normalise";
import { email, line, message, success, timestamp } from "@/server/core/schema";
import { isTaxNumber } from "./policy";

const kind = z.enum(["person", "company"]).meta({ example: "company" });
const title = line({ max: 255 }).meta({ example: "Kaya Kahve Ltd. Şti." });

/** Whom invoices are made out to. A tax number that is left out stays, null forgets it; other fields are replaced. */
export const BillingProfileInput = z.object({
  kind,
  title,
  /** VKN or TCKN. Write-only. */
  tax_number: z
    .string()
    .max(64)
    .overwrite(ungroupedText)
    .max(20)
    .refine(isTaxNumber, { error: "validation.tax_number" })
    .meta({ example: "10000000146" })
    .nullish(),
  tax_office: line({ max: 100 }).meta({ example: "Beyoğlu" }).nullish(),
  address: line({ max: 500 }).meta({ example: "İstiklal Cad. 1" }).nullish(),
  district: line({ max: 100 }).meta({ example: "Beyoğlu" }).nullish(),
  city: line({ max: 100 }).meta({ example: "İstanbul" }).nullish(),
  /** Two letters, ISO 3166. */
  country: z
    .string()
    .max(64)
    .overwrite(letterCodeText)
    .regex(/^[A-Z]{2}$/, { error: "validation.country" })
    .meta({ example: "TR" })
    .nullish(),
  email: email.nullish(),
});

const shownTitle = z.string().meta({ example: "Kaya Kahve Ltd. Şti." });

/** Whom an invoice is made out to, as people read it: of the tax number the last four digits. */
export const BillTo = z.object({
  kind: z.string().meta({ example: "company" }),
  title: shownTitle.nullable(),
  tax_number_last_four: z.string().nullable().meta({ example: "0146" }),
  tax_office: z.string().nullable().meta({ example: "Beyoğlu" }),
  address: z.string().nullable().meta({ example: "İstiklal Cad. 1" }),
  district: z.string().nullable().meta({ example: "Beyoğlu" }),
  city: z.string().nullable().meta({ example: "İstanbul" }),
  country: z.string().meta({ example: "TR" }),
  email: z.string().nullable().meta({ example: "muhasebe@example.com" }),
});

const BillingProfile = BillTo.extend({ kind, title: shownTitle, updated_at: timestamp }).meta({
  id: "BillingProfile",
});

export const getBillingProfile = operation({
  id: "getBillingProfile",
  method: "GET",
  path: "/api/billing/profile",
  tag: "Billing",
  summary: "Get whom invoices are made out to",
  description:
    "`profile` is null until one is saved. Of the tax number only the last four digits are shown. `data` repeats `profile`.",
  access: "token",
  viewAs: false,
  status: 200,
  output: z.object({ success, profile: BillingProfile.nullable(), data: BillingProfile.nullable() }),
});

export const putBillingProfile = operation({
  id: "putBillingProfile",
  method: "PUT",
  path: "/api/billing/profile",
  tag: "Billing",
  summary: "Save whom invoices are made out to",
  description:
    "The tax number is a VKN of 10 or a TCKN of 11 digits, whose check digits must fit; left out it stays, null forgets it. " +
    "Invoices for payments that are recorded already do not change, but for those that wait because these details were incomplete.",
  access: "token",
  ability: "profile:write",
  limit: { points: 60, per: 3600, by: "account" },
  body: BillingProfileInput,
  status: 200,
  output: z.object({ success, message, profile: BillingProfile, data: BillingProfile }),
});
