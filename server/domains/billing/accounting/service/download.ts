import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import { FileOutput, type Input } from "@/server/core/contract";
import { createError, createInaccessibleError, createNotFoundError } from "@/server/core/errors";
import { storage } from "@/server/infrastructure/storage/storage";
import type { downloadDocument, downloadInvoice } from "../contract";

export async function downloadAnyInvoice(
  { actor, db }: Context<UserActor>,
  { params: { id } }: Input<typeof downloadDocument>,
): Promise<FileOutput> {
  requireAdministrator(actor);
  const row = await db.accountingDocument.findUnique({
    where: { id },
    select: { pdfKey: true, documentNumber: true },
  });
  return readInvoiceFile(id, row);
}

/** Downloads an invoice of the caller's own payments. Agents have none: their team's owner pays. */
export async function downloadOwnInvoice(
  { actor, db }: Context<UserActor>,
  { params: { id } }: Input<typeof downloadInvoice>,
): Promise<FileOutput> {
  if (actor.scope.isAgent) throw createError("forbidden");
  const row = await db.accountingDocument.findUnique({
    where: { id },
    select: { state: true, pdfKey: true, documentNumber: true, payment: { select: { userId: true } } },
  });
  if (row?.payment.userId !== actor.id)
    throw createInaccessibleError(row ?? undefined, "AccountingDocument", id);
  return readInvoiceFile(id, row.state === "done" ? row : null);
}

async function readInvoiceFile(
  id: number,
  row: { pdfKey: string | null; documentNumber: string | null } | null,
): Promise<FileOutput> {
  const file = row?.pdfKey && (await storage().read(row.pdfKey));
  if (!file) throw createNotFoundError("AccountingDocument", id);
  const name = (row.documentNumber ?? String(id)).replace(/[^\w-]/g, "");
  return new FileOutput(file, { type: "application/pdf", name: `invoice-${name}.pdf` });
}
