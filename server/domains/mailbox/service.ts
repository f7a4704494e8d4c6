import type { Context } from "@/server/core/context";
import type { Answer, Input } from "@/server/core/contract";
import { isoMicros } from "@/server/core/time";
import { openMail } from "@/server/infrastructure/mail/outbox";
import type { listMails } from "./contract";

/** Opens the latest mails of the outbox. */
export async function list(
  { db }: Context,
  { query }: Input<typeof listMails>,
): Promise<Answer<typeof listMails>> {
  const rows = await db.mailMessage.findMany({
    where: query.to ? { toAddress: { equals: query.to, mode: "insensitive" } } : {},
    orderBy: { id: "desc" },
    take: 50,
  });
  const data = rows.map(({ id, toAddress, template, locale, state, sealed, createdAt }) => ({
    id,
    to: toAddress,
    template,
    locale,
    state,
    ...openMail(sealed),
    created_at: isoMicros(createdAt),
  }));
  return { data };
}
