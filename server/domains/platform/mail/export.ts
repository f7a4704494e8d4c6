import type { ExportReader } from "@/server/core/domain";
import { renderStoredMail } from "@/server/infrastructure/mail/outbox";

export const archiveReaders = {
  // Only subjects: texts contain links and codes that give access.
  mails: async (db, userId) => {
    const rows = await db.mailMessage.findMany({
      where: { userId },
      orderBy: { id: "asc" },
      select: {
        toAddress: true,
        template: true,
        locale: true,
        state: true,
        sealed: true,
        createdAt: true,
        sentAt: true,
      },
    });
    return rows.map(({ sealed, ...row }) => ({ subject: readSubject(sealed), ...row }));
  },

  text_messages: (db, userId) =>
    db.smsMessage.findMany({
      where: { userId },
      orderBy: { id: "asc" },
      select: { toNumber: true, locale: true, state: true, createdAt: true, sentAt: true },
    }),
} as const satisfies Record<string, ExportReader>;

/** Returns null if the text is erased or its key is lost: one mail must not make the export fail. */
function readSubject(sealed: Uint8Array): string | null {
  try {
    return renderStoredMail(sealed).subject;
  } catch {
    return null;
  }
}
