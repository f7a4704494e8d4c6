import { toTurkishDay } from "@/server/core/calendar";
import type { AttachmentReader, ExportReader } from "@/server/core/domain";
import { toAmount } from "@/server/core/money";

export const archiveReaders = {
  invoices: async (db, userId) => {
    const rows = await db.accountingDocument.findMany({
      where: { payment: { userId } },
      orderBy: { id: "asc" },
      select: {
        ...{
          id: true,
          paymentId: true,
          state: true,
          grossMinor: true,
          netMinor: true,
          vatMinor: true,
          vatRate: true,
        },
        ...{
          currency: true,
          issueDate: true,
          kind: true,
          documentNumber: true,
          documentUuid: true,
          doneAt: true,
        },
        ...{ missing: true, createdAt: true },
      },
    });
    return rows.map((row) => ({
      id: row.id,
      paymentId: row.paymentId,
      state: row.state,
      amount: toAmount(row.grossMinor),
      net: toAmount(row.netMinor),
      vat: toAmount(row.vatMinor),
      vatRate: row.vatRate,
      currency: row.currency,
      issueDate: row.issueDate && toTurkishDay(row.issueDate),
      kind: row.kind,
      number: row.documentNumber,
      uuid: row.documentUuid,
      pdf: row.state === "done" ? `/api/billing/documents/${row.id}/pdf` : null,
      missing: row.missing.join(" "),
      doneAt: row.doneAt,
      createdAt: row.createdAt,
    }));
  },
} as const satisfies Record<string, ExportReader>;

export const listInvoiceAttachments: AttachmentReader = async (db, userId) => {
  const rows = await db.accountingDocument.findMany({
    where: { payment: { userId }, state: "done", pdfKey: { not: null } },
    orderBy: { id: "asc" },
    select: { id: true, documentNumber: true, pdfKey: true },
  });
  return rows.map(({ id, documentNumber, pdfKey }) => ({
    name: `invoices/${id}-${(documentNumber ?? "").replace(/[^\w-]/g, "")}.pdf`,
    key: pdfKey!,
  }));
};
