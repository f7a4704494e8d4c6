import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { getRegisteredDomains } from "@/server/core/domain";
import { createError, createNotFoundError } from "@/server/core/errors";
import { parsePage, parseSort } from "@/server/core/list";
import { normaliseEmail } from "@/server/core/normalise";
import { redactText } from "@/server/core/redact";
import { MAX_ID, toEmailKey } from "@/server/core/schema";
import { formatText } from "@/server/core/texts";
import { toIsoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { lockCallerAndAccount } from "@/server/domains/accounts/users/service/own-account";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import {
  mailGrantsAccess,
  queueMail,
  renderMaskedMail,
  type StoredMail,
  unsealMail,
} from "@/server/infrastructure/mail/outbox";
import { type listMailLog, MAILS_MAX, type resendMail, type showMail } from "../contract";

type MailRow = Prisma.MailMessageGetPayload<{ select: typeof MAIL_SELECT }>;

const MAIL_SELECT = {
  id: true,
  userId: true,
  toAddress: true,
  ccAddress: true,
  template: true,
  locale: true,
  state: true,
  sealed: true,
  error: true,
  sentVia: true,
  createdAt: true,
  sentAt: true,
} as const satisfies Prisma.MailMessageSelect;

export async function listMailPage(
  { actor, db }: Context<UserActor>,
  { query }: Input<typeof listMailLog>,
): Promise<Output<typeof listMailLog>> {
  requireAdministrator(actor);
  const { range, ...page } = parsePage(query);
  const where = { ...(query.state && { state: query.state }), ...buildSearchWhere(query.q) };
  const { direction } = parseSort(query.sort ?? "-created_at");
  const take = Math.max(0, Math.min(range.take, MAILS_MAX - range.skip));
  const [total, mails] = await Promise.all([
    db.mailMessage.count({ where, take: MAILS_MAX }),
    take > 0
      ? db.mailMessage.findMany({
          where,
          orderBy: { id: direction },
          skip: range.skip,
          take,
          select: MAIL_SELECT,
        })
      : [],
  ]);
  return { data: mails.map((row) => toMailOutput(row, tryUnsealMail(row))), meta: { ...page, total } };
}

function buildSearchWhere(q: string | null | undefined): Prisma.MailMessageWhereInput {
  if (!q) return {};
  const address = normaliseEmail(q);
  if (address.includes("@")) return { toAddress: { in: [q, q.toLowerCase(), address, toEmailKey(address)] } };
  if (/^[1-9]\d{0,9}$/.test(q)) return { id: Number(q) <= MAX_ID ? Number(q) : -1 };
  const templateNames = getRegisteredDomains().flatMap(({ mails = [], notices = [] }) => [
    ...mails,
    ...notices,
  ]);
  return { template: { in: templateNames.filter((name) => name.includes(q)) } };
}

export async function getLoggedMail(
  { actor, db }: Context<UserActor>,
  { params: { id } }: Input<typeof showMail>,
): Promise<Output<typeof showMail>> {
  requireAdministrator(actor);
  const row = await db.mailMessage.findUnique({
    where: { id },
    select: { ...MAIL_SELECT, tries: { orderBy: { id: "asc" }, take: 100 } },
  });
  if (!row) throw createMailNotFoundError(id);
  const content = tryUnsealMail(row);
  const mail = {
    ...toMailOutput(row, content),
    preview: content ? renderMaskedMail(content).text : null,
    opens: content ? mailGrantsAccess(content) : false,
    resendable: findResendRefusal(row, content) === undefined,
    tries: row.tries.map(({ via, accountId, outcome, at }) => ({
      via,
      account_id: accountId,
      outcome,
      at: toIsoMicros(at),
    })),
  };
  return { success: true, mail };
}

/** Requeues a failed mail, or sends a copy of a sent one that gives no access. */
export async function resendLoggedMail(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof resendMail>,
): Promise<Output<typeof resendMail>> {
  requireAdministrator(ctx.actor);
  await withTransaction(ctx, async (tx) => {
    const mailOwner = await tx.db.mailMessage.findUnique({ where: { id }, select: { userId: true } });
    // Lock the account first: deleting an account deletes its mails.
    await lockCallerAndAccount(tx, mailOwner?.userId ?? tx.actor.id);
    const row = await tx.db.mailMessage.findUnique({ where: { id }, select: MAIL_SELECT });
    if (!row) throw createMailNotFoundError(id);
    const content = tryUnsealMail(row);
    const refusal = findResendRefusal(row, content);
    if (refusal || !content) throw createError(refusal ?? "mail_erased");
    if (row.state === "failed") {
      const data = { state: "queued" as const, error: null };
      const { count } = await tx.db.mailMessage.updateMany({ where: { id, state: "failed" }, data });
      if (count === 0) throw createError("mail_waits");
      await addJob(tx, "deliver_mail", { mailId: id });
    } else {
      const { brand: _, brandOf, ...copy } = content;
      const recipient = {
        userId: row.userId,
        address: row.toAddress,
        copyTo: row.ccAddress ?? undefined,
        brandOf,
      };
      await queueMail(tx, recipient, copy);
    }
    await audit(tx, { action: "mail.resent", object: { type: "MailMessage", id } });
  });
  return { success: true, message: formatText(ctx.locale, "responses.mail_resent") };
}

const createMailNotFoundError = (id: number) => createNotFoundError("MailMessage", id);

function tryUnsealMail({ sealed }: Pick<MailRow, "sealed">): StoredMail | null {
  try {
    return unsealMail(sealed);
  } catch {
    return null;
  }
}

function findResendRefusal({ state }: MailRow, content: StoredMail | null) {
  if (state === "queued") return "mail_waits";
  if (!content) return "mail_erased";
  return state === "sent" && mailGrantsAccess(content) ? "mail_opens" : undefined;
}

function toMailOutput(row: MailRow, content: StoredMail | null) {
  return {
    id: row.id,
    to: row.toAddress,
    subject: content && renderMaskedMail(content).subject,
    template: row.template,
    locale: row.locale,
    state: row.state,
    sent_via: row.sentVia,
    error: row.error && String(redactText(row.error)),
    created_at: toIsoMicros(row.createdAt),
    sent_at: toIsoMicros(row.sentAt),
  };
}
