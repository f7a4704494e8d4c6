import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  customer_notes: (db, resellerId) =>
    db.customerNote.findMany({
      where: { resellerId },
      orderBy: { id: "asc" },
      select: { customerId: true, body: true, createdAt: true },
    }),

  notes_about_me: (db, customerId) =>
    db.customerNote.findMany({
      where: { customerId },
      orderBy: { id: "asc" },
      select: { body: true, createdAt: true },
    }),

  customer_invitations: (db, resellerId) =>
    db.customerInvitation.findMany({
      where: { resellerId },
      orderBy: { id: "asc" },
      select: { name: true, email: true, phone: true, createdAt: true, expiresAt: true, acceptedAt: true },
    }),
} as const satisfies Record<string, ExportReader>;
