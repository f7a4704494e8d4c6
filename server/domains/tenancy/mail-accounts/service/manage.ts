import type * as z from "zod";
import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { countedInvalidField, createError, invalidField } from "@/server/core/errors";
import { rejectStaleChange } from "@/server/core/stale";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { lockUser } from "@/server/domains/accounts/users/service/lock";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { lockSite } from "@/server/domains/sites/sites/service/manageable";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { PrivateHostError, resolveMailHost } from "@/server/infrastructure/mail/resolve-host";
import { MAIL_PASSWORD_SEAL_PURPOSE } from "@/server/infrastructure/mail/smtp";
import { seal } from "@/server/infrastructure/secrets/seal";
import type { deleteMailAccount, getMailAccount, MailAccountInput, putMailAccount } from "../contract";
import { MAIL_ACCOUNT_SELECT, type MailAccountRow, toMailAccount } from "../dto";
import { readRecentFailures } from "./failures";
import { findMailAccount, type MailAccountHolder, resolveHolder } from "./holder";

/** Ports for sending. `MAIL_PRIVATE_HOSTS` allows every port. `RULES_TEXT` in contract.ts names them. */
const ALLOWED_MAIL_PORTS = [25, 465, 587, 2525];

type MailAccountBody = z.output<typeof MailAccountInput>;
type HolderInput = { params: { id?: number } };

export async function readMailAccount(
  ctx: Context<UserActor>,
  { params }: HolderInput,
): Promise<Output<typeof getMailAccount>> {
  const row = await findMailAccount(ctx, await resolveHolder(ctx, params.id));
  return {
    success: true,
    mail_account: row && toMailAccount(row),
    failures: await readRecentFailures(ctx, row),
  };
}

/** Needs a recent proof, because the mail account will send sign-in links. Unused until a test succeeds. */
export async function saveMailAccount(
  ctx: Context<UserActor>,
  { params, body }: HolderInput & { body: MailAccountBody },
): Promise<Output<typeof putMailAccount>> {
  const holder = await resolveHolder(ctx, params.id);
  await requireProof(ctx);
  await requireAllowedServer(body);
  return withLockedOwnAccount(ctx, async (tx) => {
    await lockHolder(tx, holder);
    const storedAccount = await findMailAccount(tx, holder);
    rejectStaleChange(body.expected, {
      current: storedAccount && pickSettings(toMailAccount(storedAccount)),
      requested: pickSettings({ ...body, secure: isSecure(body), username: body.username ?? null }),
    });
    const row = await writeMailAccount(tx, holder, storedAccount, mergeSettings(storedAccount, body));
    await audit(tx, {
      action: "mail_account.saved",
      object: toHolderAuditObject(holder),
      details: { host: row.host, port: row.port, verified: row.verifiedAt !== null },
    });
    return {
      success: true as const,
      message: formatText(ctx.locale, "responses.mail_account_saved"),
      mail_account: toMailAccount(row),
    };
  });
}

export async function removeMailAccount(
  ctx: Context<UserActor>,
  { params }: HolderInput,
): Promise<Output<typeof deleteMailAccount>> {
  const holder = await resolveHolder(ctx, params.id);
  await requireProof(ctx);
  return withLockedOwnAccount(ctx, async (tx) => {
    const { count } = await tx.db.mailAccount.deleteMany({ where: holder });
    if (count === 0) throw createError("mail_account_missing");
    await audit(tx, { action: "mail_account.removed", object: toHolderAuditObject(holder) });
    return { success: true as const, message: formatText(ctx.locale, "responses.mail_account_removed") };
  });
}

export function toHolderAuditObject({ userId, siteId }: MailAccountHolder) {
  return userId === null ? { type: "Site" as const, id: siteId } : { type: "User" as const, id: userId };
}

async function requireAllowedServer({ host, port }: MailAccountBody): Promise<void> {
  if (!env().MAIL_PRIVATE_HOSTS && !ALLOWED_MAIL_PORTS.includes(port))
    throw invalidField("port", "mail_port");
  await resolveMailHost(host).catch((error: unknown) => {
    throw countedInvalidField(
      "host",
      error instanceof PrivateHostError ? "mail_host_private" : "mail_host_unknown",
    );
  });
}

async function lockHolder(tx: Pick<DbAccess, "sql">, { userId, siteId }: MailAccountHolder): Promise<void> {
  if (userId !== null) await lockUser(tx, userId);
  else await lockSite(tx, siteId);
}

function pickSettings({
  from_name,
  from_address,
  host,
  port,
  secure,
  username,
}: MailAccountSettings): MailAccountSettings {
  return { from_name, from_address, host, port, secure, username };
}
type MailAccountSettings = NonNullable<MailAccountBody["expected"]>;

function isSecure({ secure, port }: MailAccountBody): boolean {
  return secure ?? port === 465;
}

type MailAccountFields = Omit<MailAccountRow, "id" | "failedAt" | "error">;

/** Keeps a stored password only for the same server and user name, so that no other server gets it. */
function mergeSettings(storedAccount: MailAccountRow | null, body: MailAccountBody): MailAccountFields {
  const { from_name: fromName, from_address: fromAddress, host, port } = body;
  const secure = isSecure(body);
  const username = body.username ?? null;
  const isSameServerAndUser =
    storedAccount !== null &&
    storedAccount.host === host &&
    storedAccount.port === port &&
    storedAccount.secure === secure &&
    storedAccount.username === username;
  const storedPassword = isSameServerAndUser ? storedAccount.passwordSealed : null;
  const newPassword = body.password ? seal(body.password, MAIL_PASSWORD_SEAL_PURPOSE) : null;
  const passwordSealed = username ? (newPassword ?? storedPassword) : null;
  if (username && !passwordSealed) throw invalidField("password", "required");
  const isVerified = isSameServerAndUser && !newPassword && storedAccount.fromAddress === fromAddress;
  const verifiedAt = isVerified ? storedAccount.verifiedAt : null;
  return { fromName, fromAddress, host, port, secure, username, passwordSealed, verifiedAt };
}

/** Clears a stored failure with the verification, because it belongs to the previous server or sender. */
async function writeMailAccount(
  { db }: Pick<DbAccess, "db">,
  holder: MailAccountHolder,
  storedAccount: MailAccountRow | null,
  fields: MailAccountFields,
): Promise<MailAccountRow> {
  if (!storedAccount)
    return db.mailAccount.create({ data: { ...holder, ...fields }, select: MAIL_ACCOUNT_SELECT });
  return db.mailAccount.update({
    where: { id: storedAccount.id },
    data: { ...fields, ...(fields.verifiedAt === null && { failedAt: null, error: null }) },
    select: MAIL_ACCOUNT_SELECT,
  });
}
