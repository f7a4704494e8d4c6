import type * as z from "zod";
import type { Context, UserActor } from "@/server/core/context";
import type { Answer } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { invalid, invalidCounted, refuse } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import { audit } from "@/server/domains/audit/service";
import { requireProof } from "@/server/domains/tokens/service/tokens";
import { type Work, withTransaction } from "@/server/infrastructure/database/transaction";
import { PrivateHost, resolveHost } from "@/server/infrastructure/mail/address";
import { MAIL_PASSWORD_PURPOSE } from "@/server/infrastructure/mail/smtp";
import { seal } from "@/server/infrastructure/secrets/seal";
import type { deleteMailAccount, getMailAccount, MailAccountInput, putMailAccount } from "../contract";
import { type AccountRow, accountOf, findAccount, type Holder, holderOf } from "./holder";

/** Ports that mail is handed in at; others only where private networks are allowed. */
const MAIL_PORTS = [25, 465, 587, 2525];

type Body = z.output<typeof MailAccountInput>;
/** The site's number, or none for the caller's own account. */
type Place = { params: { id?: number } };

export async function get(
  ctx: Context<UserActor>,
  { params }: Place,
): Promise<Answer<typeof getMailAccount>> {
  const row = await findAccount(ctx, await holderOf(ctx, params.id));
  return { success: true, mail_account: row ? accountOf(row) : null };
}

/**
 * Writes an account. Mails with links that open accounts will go through it, so the caller must have proved who he is,
 * and it sends nothing before a test mail went through.
 */
export async function put(
  ctx: Context<UserActor>,
  { params, body }: Place & { body: Body },
): Promise<Answer<typeof putMailAccount>> {
  const holder = await holderOf(ctx, params.id);
  await requireProof(ctx);
  await checkServer(body);
  return withTransaction(ctx, async (tx) => {
    await lock(tx, holder);
    const before = await findAccount(tx, holder);
    const row = await write(tx, holder, before, changed(before, body));
    await audit(tx, {
      action: "mail_account.saved",
      object: objectOf(holder),
      details: { host: row.host, port: row.port, verified: row.verified_at !== null },
    });
    return {
      success: true as const,
      message: text(ctx.locale, "answers.mail_account_saved"),
      mail_account: accountOf(row),
    };
  });
}

export async function remove(
  ctx: Context<UserActor>,
  { params }: Place,
): Promise<Answer<typeof deleteMailAccount>> {
  const holder = await holderOf(ctx, params.id);
  await requireProof(ctx);
  return withTransaction(ctx, async (tx) => {
    const gone = await tx.sql`
      delete from mail_accounts where user_id = ${holder.userId} or site_id = ${holder.siteId} returning id`;
    if (gone.length === 0) throw refuse("mail_account_missing");
    await audit(tx, { action: "mail_account.removed", object: objectOf(holder) });
    return { success: true as const, message: text(ctx.locale, "answers.mail_account_removed") };
  });
}

export function objectOf({ userId, siteId }: Holder) {
  return userId === null ? { type: "Site" as const, id: siteId } : { type: "User" as const, id: userId };
}

/** Only a public host, and only at a port of mail, unless the installation allows its own network. */
async function checkServer({ host, port }: Body): Promise<void> {
  if (!env().MAIL_PRIVATE_HOSTS && !MAIL_PORTS.includes(port)) throw invalid("port", "mail_port");
  await resolveHost(host).catch((error: unknown) => {
    throw invalidCounted("host", error instanceof PrivateHost ? "mail_host_private" : "mail_host_unknown");
  });
}

/** The holder's row, locked: of two that save at once, one comes after the other. */
async function lock({ sql }: Pick<Work, "sql">, { userId, siteId }: Holder): Promise<void> {
  if (userId !== null) await sql`select 1 from users where id = ${userId} for no key update`;
  else await sql`select 1 from sites where id = ${siteId} for no key update`;
}

type Fields = Omit<AccountRow, "id" | "failed_at" | "error">;

/**
 * The account as it will be. A password that was stored is kept for the very same server and user name only: it must not
 * be handed to another one. A verification stays only if nothing that it proved has changed.
 */
function changed(before: AccountRow | undefined, body: Body): Fields {
  const { from_name, from_address, host, port } = body;
  const secure = body.secure ?? port === 465;
  const username = body.username ?? null;
  const same =
    before !== undefined &&
    before.host === host &&
    before.port === port &&
    before.secure === secure &&
    before.username === username;
  const kept = same ? before.password_sealed : null;
  const given = body.password ? Buffer.from(seal(body.password, MAIL_PASSWORD_PURPOSE)) : null;
  const password_sealed = username ? (given ?? kept) : null;
  if (username && !password_sealed) throw invalid("password", "required");
  const proven = same && !given && before.from_address === from_address;
  const verified_at = proven ? before.verified_at : null;
  return { from_name, from_address, host, port, secure, username, password_sealed, verified_at };
}

async function write(
  { sql }: Pick<Work, "sql">,
  { userId, siteId }: Holder,
  before: AccountRow | undefined,
  { from_name, from_address, host, port, secure, username, password_sealed, verified_at }: Fields,
): Promise<AccountRow> {
  const [row] = before
    ? await sql<AccountRow>`
        update mail_accounts
           set from_name = ${from_name}, from_address = ${from_address}, host = ${host}, port = ${port}, secure = ${secure},
               username = ${username}, password_sealed = ${password_sealed}, verified_at = ${verified_at},
               failed_at = case when ${verified_at}::timestamptz is null then null else failed_at end,
               error = case when ${verified_at}::timestamptz is null then null else error end, updated_at = now()
         where id = ${before.id} returning *`
    : await sql<AccountRow>`
        insert into mail_accounts (user_id, site_id, from_name, from_address, host, port, secure, username, password_sealed)
        values (${userId}, ${siteId}, ${from_name}, ${from_address}, ${host}, ${port}, ${secure}, ${username}, ${password_sealed})
        returning *`;
  return row!;
}
