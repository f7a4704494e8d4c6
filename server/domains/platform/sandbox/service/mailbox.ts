import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { toEmailKey } from "@/server/core/schema";
import { toIsoMicros } from "@/server/core/time";
import { ERASED_CONTENT, renderStoredMail } from "@/server/infrastructure/mail/outbox";
import { escapeHtml } from "@/server/infrastructure/mail/template";
import { unsealSms } from "@/server/infrastructure/sms/outbox";
import type { listMails } from "../contract";

type Mail = Output<typeof listMails>["data"][number];

const MAILBOX_MAX = 50;

export async function listMailbox(
  { db }: Context,
  { query }: Input<typeof listMails>,
): Promise<Output<typeof listMails>> {
  const rows = await db.mailMessage.findMany({
    where: {
      sealed: { not: ERASED_CONTENT },
      ...(query.to && { toAddress: { equals: query.to, mode: "insensitive" } }),
    },
    orderBy: { id: "desc" },
    take: MAILBOX_MAX,
  });
  const mails = rows.map(({ id, toAddress, template, locale, state, sealed, createdAt }) => ({
    id,
    to: toAddress,
    template,
    locale,
    state,
    ...renderStoredMail(sealed),
    created_at: toIsoMicros(createdAt),
  }));
  const textMessages = await findTextMessages(db, query.to);
  const messages = [...mails, ...textMessages].toSorted((a, b) => b.created_at.localeCompare(a.created_at));
  return { data: messages.slice(0, MAILBOX_MAX) };
}

/** Text messages get negative IDs to distinguish them from mails. */
async function findTextMessages(db: Context["db"], email: string | null | undefined): Promise<Mail[]> {
  const rows = await db.smsMessage.findMany({
    where: { sealed: { not: ERASED_CONTENT }, ...(email && { user: { emailKey: toEmailKey(email) } }) },
    orderBy: { id: "desc" },
    take: MAILBOX_MAX,
  });
  return rows.map(({ id, toNumber, locale, state, sealed, createdAt }) => {
    const text = unsealSms(sealed);
    return {
      id: -id,
      to: toNumber,
      template: "sms",
      locale,
      state,
      subject: text.split("\n")[0]!,
      text,
      html: `<pre style="font:16px sans-serif;white-space:pre-wrap">${escapeHtml(text)}</pre>`,
      created_at: toIsoMicros(createdAt),
    };
  });
}
