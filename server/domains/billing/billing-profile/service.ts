import type * as z from "zod";
import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError } from "@/server/core/errors";
import { rejectStaleChange } from "@/server/core/stale";
import { formatText } from "@/server/core/texts";
import { toIsoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import type { BillingProfile } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { seal, unseal } from "@/server/infrastructure/secrets/seal";
import type { BillingProfileInput, getBillingProfile, putBillingProfile } from "./contract";

export const TAX_SEAL_PURPOSE = "tax_number";

const DEFAULT_COUNTRY = "TR";

/** Recipient of an invoice. Stored as JSON with each payment, so its fields must not be renamed. */
export interface BillTo {
  kind: string;
  /** Name of the person or company. */
  title: string | null;
  tax_number: string | null;
  tax_office: string | null;
  address: string | null;
  district: string | null;
  city: string | null;
  country: string;
  email: string | null;
}

export async function getOwnBillingProfile({
  actor,
  db,
}: Context<UserActor>): Promise<Output<typeof getBillingProfile>> {
  if (actor.scope.isAgent) throw createError("forbidden");
  const row = await db.billingProfile.findUnique({ where: { userId: actor.id } });
  const profile = row && toProfileOutput(row);
  return { success: true, profile, data: profile };
}

export async function saveOwnBillingProfile(
  ctx: Context<UserActor>,
  { body }: Input<typeof putBillingProfile>,
): Promise<Output<typeof putBillingProfile>> {
  if (ctx.actor.scope.isAgent) throw createError("forbidden");
  const savedRow = await withLockedOwnAccount(ctx, (tx) => saveLockedBillingProfile(tx, ctx.actor.id, body));
  const profile = toProfileOutput(savedRow);
  return {
    success: true,
    message: formatText(ctx.locale, "responses.billing_profile_saved"),
    profile,
    data: profile,
  };
}

/** Throws `stale` if the details have changed since the caller saw them. The account must be locked. */
export async function saveLockedBillingProfile(
  tx: Context,
  userId: number,
  { expected, ...input }: Input<typeof putBillingProfile>["body"],
): Promise<BillingProfile> {
  const row = await tx.db.billingProfile.findUnique({ where: { userId } });
  const current = row && {
    ...toRecipientFields(row),
    email: row.email,
    tax_number_last_four: row.taxLastFour,
  };
  const { tax_number, ...requested } = input;
  rejectStaleChange(expected, {
    current,
    requested: {
      ...requested,
      country: requested.country ?? DEFAULT_COUNTRY,
      tax_number_last_four: tax_number === undefined ? row?.taxLastFour : tax_number?.slice(-4),
    },
  });
  return saveBillingProfile(tx, userId, input);
}

/**
 * Saves an account's billing profile and requeues invoices that wait for it. An omitted tax number is kept;
 * other omitted fields are reset.
 */
export async function saveBillingProfile(
  tx: Context,
  userId: number,
  { tax_number, ...fields }: z.output<typeof BillingProfileInput>,
): Promise<BillingProfile> {
  const data = {
    kind: fields.kind,
    title: fields.title,
    taxOffice: fields.tax_office ?? null,
    address: fields.address ?? null,
    district: fields.district ?? null,
    city: fields.city ?? null,
    country: fields.country ?? DEFAULT_COUNTRY,
    email: fields.email ?? null,
    ...(tax_number !== undefined && {
      taxSealed: tax_number === null ? null : seal(tax_number, TAX_SEAL_PURPOSE),
      taxLastFour: tax_number?.slice(-4) ?? null,
    }),
  };
  const row = await tx.db.billingProfile.upsert({
    where: { userId },
    create: { ...data, userId },
    update: data,
  });
  await tx.db.accountingDocument.updateMany({
    where: { payment: { userId }, state: "needs_data", issueDate: null },
    data: { state: "queued", step: null, nextAt: null },
  });
  await audit(tx, { action: "billing_profile.changed", object: { type: "User", id: userId } });
  return row;
}

/** Returns the invoice recipient of an account: the billing profile, or a person with the user's name. */
export async function getBillTo(
  { db }: Pick<DbAccess, "db">,
  { id, name, email }: { id: number; name: string; email: string },
): Promise<BillTo> {
  const row = await db.billingProfile.findUnique({ where: { userId: id } });
  if (row) return { ...toRecipientFields(row), tax_number: decryptTaxNumber(row), email: row.email ?? email };
  return {
    kind: "person",
    title: name,
    tax_number: null,
    tax_office: null,
    address: null,
    district: null,
    city: null,
    country: DEFAULT_COUNTRY,
    email,
  };
}

export function findMissingInvoiceFields(billTo: BillTo): string[] {
  const requiredFields = ["title", "address", "district", "city"] as const;
  const companyFields = ["tax_number", "tax_office"] as const;
  // A tax number of ten digits (VKN) belongs to a tax office, also for a sole trader.
  const needsTaxFields = billTo.kind === "company" || billTo.tax_number?.length === 10;
  return [...requiredFields, ...(needsTaxFields ? companyFields : [])].filter((field) => !billTo[field]);
}

/** Decrypts the full tax number, for invoices and data exports only. */
export function decryptTaxNumber({ taxSealed }: Pick<BillingProfile, "taxSealed">): string | null {
  return taxSealed && unseal(taxSealed, TAX_SEAL_PURPOSE);
}

function toRecipientFields(row: BillingProfile) {
  return {
    kind: row.kind,
    title: row.title,
    tax_office: row.taxOffice,
    address: row.address,
    district: row.district,
    city: row.city,
    country: row.country,
  };
}

function toProfileOutput(row: BillingProfile): NonNullable<Output<typeof getBillingProfile>["profile"]> {
  const { kind, ...recipientFields } = toRecipientFields(row);
  return {
    kind: kind as "person" | "company",
    ...recipientFields,
    tax_number_last_four: row.taxLastFour,
    email: row.email,
    updated_at: toIsoMicros(row.updatedAt),
  };
}
