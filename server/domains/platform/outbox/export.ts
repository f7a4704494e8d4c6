import type { Reader } from "@/server/core/domain";
import { readMail } from "@/server/infrastructure/mail/outbox";

export const exports = {
  // The texts of mails hold links and codes; what they were about is in the subject.
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
    return rows.map(({ sealed, ...row }) => ({ subject: subjectOf(sealed), ...row }));
  },

  text_messages: (db, userId) =>
    db.smsMessage.findMany({
      where: { userId },
      orderBy: { id: "asc" },
      select: { toNumber: true, locale: true, state: true, createdAt: true, sentAt: true },
    }),
} as const satisfies Record<string, Reader>;

/** null for a mail that was sealed under a key which is gone: one old mail keeps nobody from the rest. */
function subjectOf(sealed: Uint8Array): string | null {
  try {
    return readMail(sealed).subject;
  } catch {
    return null;
  }
}
