import type * as z from "zod";
import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { invalidField, invalidFieldCounted, refuse } from "@/server/core/errors";
import { requireExpected } from "@/server/core/stale";
import { text } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { lockUser } from "@/server/domains/accounts/users/service/lock";
import { withOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { lockSite } from "@/server/domains/sites/sites/service/manageable";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { PrivateHostError, resolveHost } from "@/server/infrastructure/mail/resolve-host";
import { MAIL_PASSWORD_PURPOSE } from "@/server/infrastructure/mail/smtp";
import { seal } from "@/server/infrastructure/secrets/seal";
import type { deleteMailAccount, getMailAccount, MailAccountInput, putMailAccount } from "../contract";
import { ACCOUNT_SELECT, type AccountRow, toMailAccount } from "../dto";
import { readRecentFailures } from "./failures";
import { findAccount, type Holder, resolveHolder } from "./holder";

/** Submission ports. `MAIL_PRIVATE_HOSTS` allows any other. */
const MAIL_PORTS = [25, 465, 587, 2525];

type Body = z.output<typeof MailAccountInput>;
type HolderInput = { params: { id?: number } };

export async function readAccount(
  ctx: Context<UserActor>,
  { params }: HolderInput,
): Promise<Output<typeof getMailAccount>> {
  const row = await findAccount(ctx, await resolveHolder(ctx, params.id));
  return {
    success: true,
    mail_account: row && toMailAccount(row),
    failures: await readRecentFailures(ctx, row),
  };
}

/** Needs a recent proof, because the account will send sign-in links. Unused until a test succeeds. */
export async function saveAccount(
  ctx: Context<UserActor>,
  { params, body }: HolderInput & { body: Body },
): Promise<Output<typeof putMailAccount>> {
  const holder = await resolveHolder(ctx, params.id);
  await requireProof(ctx);
  await checkServer(body);
  return withOwnAccount(ctx, async (tx) => {
    await lockHolder(tx, holder);
    const before = await findAccount(tx, holder);
    requireExpected(body.expected, {
      current: before && pickSettings(toMailAccount(before)),
      requested: pickSettings({ ...body, secure: isSecure(body), username: body.username ?? null }),
    });
    const row = await writeAccount(tx, holder, before, mergeChange(before, body));
    await audit(tx, {
      action: "mail_account.saved",
      object: toAuditObject(holder),
      details: { host: row.host, port: row.port, verified: row.verifiedAt !== null },
    });
    return {
      success: true as const,
      message: text(ctx.locale, "responses.mail_account_saved"),
      mail_account: toMailAccount(row),
    };
  });
}

export async function removeAccount(
  ctx: Context<UserActor>,
  { params }: HolderInput,
): Promise<Output<typeof deleteMailAccount>> {
  const holder = await resolveHolder(ctx, params.id);
  await requireProof(ctx);
  return withOwnAccount(ctx, async (tx) => {
    const { count } = await tx.db.mailAccount.deleteMany({ where: holder });
    if (count === 0) throw refuse("mail_account_missing");
    await audit(tx, { action: "mail_account.removed", object: toAuditObject(holder) });
    return { success: true as const, message: text(ctx.locale, "responses.mail_account_removed") };
  });
}

export function toAuditObject({ userId, siteId }: Holder) {
  return userId === null ? { type: "Site" as const, id: siteId } : { type: "User" as const, id: userId };
}

async function checkServer({ host, port }: Body): Promise<void> {
  if (!env().MAIL_PRIVATE_HOSTS && !MAIL_PORTS.includes(port)) throw invalidField("port", "mail_port");
  await resolveHost(host).catch((error: unknown) => {
    throw invalidFieldCounted(
      "host",
      error instanceof PrivateHostError ? "mail_host_private" : "mail_host_unknown",
    );
  });
}

async function lockHolder(tx: Pick<DbAccess, "sql">, { userId, siteId }: Holder): Promise<void> {
  if (userId !== null) await lockUser(tx, userId);
  else await lockSite(tx, siteId);
}

function pickSettings({ from_name, from_address, host, port, secure, username }: Settings): Settings {
  return { from_name, from_address, host, port, secure, username };
}
type Settings = NonNullable<Body["expected"]>;

function isSecure({ secure, port }: Body): boolean {
  return secure ?? port === 465;
}

type AccountFields = Omit<AccountRow, "id" | "failedAt" | "error">;

/** A stored password is only kept for the same server and user name: it must not leak elsewhere. */
function mergeChange(before: AccountRow | null, body: Body): AccountFields {
  const { from_name: fromName, from_address: fromAddress, host, port } = body;
  const secure = isSecure(body);
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
  if (username && !passwordSealed) throw invalidField("password", "required");
  const isVerified = isSameLogin && !newPassword && before.fromAddress === fromAddress;
  const verifiedAt = isVerified ? before.verifiedAt : null;
  return { fromName, fromAddress, host, port, secure, username, passwordSealed, verifiedAt };
}

/** A failure is cleared with the verification: it belongs to the previous server or sender. */
async function writeAccount(
  { db }: Pick<DbAccess, "db">,
  holder: Holder,
  before: AccountRow | null,
  fields: AccountFields,
): Promise<AccountRow> {
  if (!before) return db.mailAccount.create({ data: { ...holder, ...fields }, select: ACCOUNT_SELECT });
  return db.mailAccount.update({
    where: { id: before.id },
    data: { ...fields, ...(fields.verifiedAt === null && { failedAt: null, error: null }) },
    select: ACCOUNT_SELECT,
  });
}
