import type * as z from "zod";
import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { invalid, invalidCounted, refuse } from "@/server/core/errors";
import { requireExpected } from "@/server/core/stale";
import { text } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { lockUser } from "@/server/domains/accounts/users/service/lock";
import { withOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { lockSite } from "@/server/domains/sites/sites/service/manageable";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { PrivateHostError, resolveHost } from "@/server/infrastructure/mail/address";
import { MAIL_PASSWORD_PURPOSE } from "@/server/infrastructure/mail/smtp";
import { seal } from "@/server/infrastructure/secrets/seal";
import type { deleteMailAccount, getMailAccount, MailAccountInput, putMailAccount } from "../contract";
import { ACCOUNT, type AccountRow, accountOf } from "../dto";
import { recentFailures } from "./failures";
import { findAccount, type Holder, holderOf } from "./holder";

/** Submission ports. `MAIL_PRIVATE_HOSTS` allows any other. */
const MAIL_PORTS = [25, 465, 587, 2525];

type Body = z.output<typeof MailAccountInput>;
type Target = { params: { id?: number } };

export async function get(
  ctx: Context<UserActor>,
  { params }: Target,
): Promise<Output<typeof getMailAccount>> {
  const row = await findAccount(ctx, await holderOf(ctx, params.id));
  return { success: true, mail_account: row && accountOf(row), failures: await recentFailures(ctx, row) };
}

/** The account will send sign-in links: it needs a recent proof, and a test before it is used. */
export async function save(
  ctx: Context<UserActor>,
  { params, body }: Target & { body: Body },
): Promise<Output<typeof putMailAccount>> {
  const holder = await holderOf(ctx, params.id);
  await requireProof(ctx);
  await checkServer(body);
  return withOwnAccount(ctx, async (tx) => {
    await lockHolder(tx, holder);
    const before = await findAccount(tx, holder);
    requireExpected(body.expected, {
      current: before && settingsOf(accountOf(before)),
      wanted: settingsOf({ ...body, secure: secureOf(body), username: body.username ?? null }),
    });
    const row = await writeAccount(tx, holder, before, applyChange(before, body));
    await audit(tx, {
      action: "mail_account.saved",
      object: objectOf(holder),
      details: { host: row.host, port: row.port, verified: row.verifiedAt !== null },
    });
    return {
      success: true as const,
      message: text(ctx.locale, "responses.mail_account_saved"),
      mail_account: accountOf(row),
    };
  });
}

export async function remove(
  ctx: Context<UserActor>,
  { params }: Target,
): Promise<Output<typeof deleteMailAccount>> {
  const holder = await holderOf(ctx, params.id);
  await requireProof(ctx);
  return withOwnAccount(ctx, async (tx) => {
    const { count } = await tx.db.mailAccount.deleteMany({ where: holder });
    if (count === 0) throw refuse("mail_account_missing");
    await audit(tx, { action: "mail_account.removed", object: objectOf(holder) });
    return { success: true as const, message: text(ctx.locale, "responses.mail_account_removed") };
  });
}

export function objectOf({ userId, siteId }: Holder) {
  return userId === null ? { type: "Site" as const, id: siteId } : { type: "User" as const, id: userId };
}

async function checkServer({ host, port }: Body): Promise<void> {
  if (!env().MAIL_PRIVATE_HOSTS && !MAIL_PORTS.includes(port)) throw invalid("port", "mail_port");
  await resolveHost(host).catch((error: unknown) => {
    throw invalidCounted(
      "host",
      error instanceof PrivateHostError ? "mail_host_private" : "mail_host_unknown",
    );
  });
}

/** Serialises concurrent changes. */
async function lockHolder(tx: Pick<DbAccess, "sql">, { userId, siteId }: Holder): Promise<void> {
  if (userId !== null) await lockUser(tx, userId);
  else await lockSite(tx, siteId);
}

function settingsOf({ from_name, from_address, host, port, secure, username }: Settings): Settings {
  return { from_name, from_address, host, port, secure, username };
}
type Settings = NonNullable<Body["expected"]>;

function secureOf({ secure, port }: Body): boolean {
  return secure ?? port === 465;
}

type Fields = Omit<AccountRow, "id" | "failedAt" | "error">;

/** A stored password is only kept for the same server and user name: it must not leak elsewhere. */
function applyChange(before: AccountRow | null, body: Body): Fields {
  const { from_name: fromName, from_address: fromAddress, host, port } = body;
  const secure = secureOf(body);
  const username = body.username ?? null;
  const isSameLogin =
    before !== null &&
    before.host === host &&
    before.port === port &&
    before.secure === secure &&
    before.username === username;
  const storedPassword = isSameLogin ? before.passwordSealed : null;
  const newPassword = body.password ? seal(body.password, MAIL_PASSWORD_PURPOSE) : null;
  const passwordSealed = username ? (newPassword ?? storedPassword) : null;
  if (username && !passwordSealed) throw invalid("password", "required");
  const isVerified = isSameLogin && !newPassword && before.fromAddress === fromAddress;
  const verifiedAt = isVerified ? before.verifiedAt : null;
  return { fromName, fromAddress, host, port, secure, username, passwordSealed, verifiedAt };
}

/** A failure is cleared with the verification: it belongs to the previous server or sender. */
async function writeAccount(
  { db }: Pick<DbAccess, "db">,
  holder: Holder,
  before: AccountRow | null,
  fields: Fields,
): Promise<AccountRow> {
  if (!before) return db.mailAccount.create({ data: { ...holder, ...fields }, select: ACCOUNT });
  return db.mailAccount.update({
    where: { id: before.id },
    data: { ...fields, ...(fields.verifiedAt === null && { failedAt: null, error: null }) },
    select: ACCOUNT,
  });
}
