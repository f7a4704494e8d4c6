import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { normaliseLetterCode, removeSpacesAndDashes } from "@/server/core/normalise";
import { email, textLine, updatedAt } from "@/server/core/schema";
import { EXPECTED_DESCRIPTION } from "@/server/core/stale";
import { isTaxNumber } from "./policy";

const kind = f.oneOf(["person", "company"], "Kind of recipient.", "company");
const title = textLine({ max: 255 }).meta({
  description: "Name of the person or the company.",
  example: "Kaya Kahve Ltd. Şti.",
});

/** Recipient of invoices. An omitted tax number stays; null deletes it. Other fields are replaced. */
export const BillingProfileInput = z.object({
  kind,
  title,
  tax_number: f.nullish(
    z
      .string()
      .max(64)
      .overwrite(removeSpacesAndDashes)
      .max(20)
      .refine(isTaxNumber, { error: "validation.tax_number" }),
    "Tax number: VKN, 10 digits, or TCKN, 11 digits; spaces and dashes are removed. Write-only.",
    "10000000146",
  ),
  tax_office: f.nullish(textLine({ max: 100 }), "Tax office; null if none.", "Beyoğlu"),
  address: f.nullish(textLine({ max: 500 }), "Street and number; null if none.", "İstiklal Cad. 1"),
  district: f.nullish(textLine({ max: 100 }), "District; null if none.", "Beyoğlu"),
  city: f.nullish(textLine({ max: 100 }), "City; null if none.", "İstanbul"),
  country: f.nullish(
    z
      .string()
      .max(64)
      .overwrite(normaliseLetterCode)
      .regex(/^[A-Z]{2}$/, { error: "validation.country" }),
    "ISO 3166-1 alpha-2 country code in upper or lower case; `TR` when omitted or null.",
    "TR",
  ),
  email: f.nullish(email, "Email address for invoices; null to use the account's."),
});

const shownTitle = f.text("Name of the person or the company.", "Kaya Kahve Ltd. Şti.");

/** Recipient of an invoice as shown: only the last four digits of the tax number. */
export const BillTo = z.object({
  kind: f.text("Kind of recipient: `person` or `company`.", "company"),
  title: f.nullable(shownTitle, "Name of the person or the company; null if unknown."),
  tax_number_last_four: f.nullable(z.string(), "Last four digits of the tax number; null if none.", "0146"),
  tax_office: f.nullable(z.string(), "Tax office; null if none.", "Beyoğlu"),
  address: f.nullable(z.string(), "Street and number; null if none.", "İstiklal Cad. 1"),
  district: f.nullable(z.string(), "District; null if none.", "Beyoğlu"),
  city: f.nullable(z.string(), "City; null if none.", "İstanbul"),
  country: f.text("ISO 3166 country code, two letters.", "TR"),
  email: f.nullable(z.string(), "Email address for invoices; null if none.", "muhasebe@example.com"),
});

const BillingProfile = BillTo.extend({
  kind,
  title: shownTitle,
  email: f.nullable(
    z.string(),
    "Email address for invoices; null if the account's address is used.",
    "muhasebe@example.com",
  ),
  updated_at: updatedAt,
}).meta({
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
    "`profile` is null until billing details are saved. Only the last four digits of the tax number are " +
    "shown. `data` repeats `profile`. 403 for agents.",
  access: "token",
  viewAs: false,
  output: f.success({
    profile: f.nullable(BillingProfile, "Billing details; null until saved."),
    data: f.nullable(BillingProfile, "Same as `profile`."),
  }),
});

/** New billing details with those that the caller last saw. */
export const BillingProfileChange = BillingProfileInput.extend({
  expected: f.nullish(
    BillingProfile.pick({ kind: true, title: true }).extend(
      BillingProfile.omit({
        kind: true,
        title: true,
        updated_at: true,
      }).partial().shape,
    ),
    "Values the caller last saw; null if there were no billing details.",
  ),
});

export const putBillingProfile = operation({
  id: "putBillingProfile",
  method: "PUT",
  path: "/api/billing/profile",
  tag: "Billing",
  summary: "Save the billing details",
  description:
    "The tax number is a VKN (10 digits) or a TCKN (11 digits) with valid check digits. An omitted tax " +
    "number stays unchanged; null deletes it. Other omitted fields become null, and `country` becomes " +
    "`TR`. Existing invoices do not change, except those that wait for billing details. An " +
    "invoice needs `title`, `address`, `district` and `city`; for a company or a VKN also `tax_number` and " +
    "`tax_office`. 403 for agents. " +
    EXPECTED_DESCRIPTION,
  access: "token",
  ability: "profile:write",
  limit: { points: 60, per: 3600, by: "account" },
  body: BillingProfileChange,
  output: f.changeOutput({ profile: BillingProfile, data: BillingProfile }),
  errors: ["stale"],
});
