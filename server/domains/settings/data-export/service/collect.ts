import type { Database } from "@/server/infrastructure/database/client";
import { readMail } from "@/server/infrastructure/mail/outbox";
import type { ExportFile } from "../contract";
import { COLUMNS } from "../dto";
import type { Row } from "./write";

/* What goes into each file: whose rows, in which order. Their columns are listed in `dto.ts`. */

type Read = (db: Database, userId: number) => Promise<Row[]>;

const byId = { id: "asc" } as const;
const byAge = { createdAt: "asc" } as const;

export const READERS: Record<ExportFile, Read> = {
  profile: async (db, id) => {
    const rows = await db.user.findMany({ where: { id }, select: COLUMNS.profile });
    return rows.map(({ passwordHash, emailVerifiedAt, createdAt, updatedAt, ...row }) =>
      spelled({ ...row, hasPassword: passwordHash !== null, emailVerifiedAt, createdAt, updatedAt }),
    );
  },

  menu_labels: async (db, id) => {
    const [user] = await db.user.findMany({ where: { id }, select: COLUMNS.menu_labels });
    const labels = Object.entries((user?.menuLabels ?? {}) as Record<string, string>);
    return labels.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, label]) => ({ key, label }));
  },

  address_changes: async (db, userId) =>
    all(await db.emailChange.findMany({ where: { userId }, orderBy: byId, select: COLUMNS.address_changes })),

  consents: async (db, userId) =>
    all(await db.consentRecord.findMany({ where: { userId }, orderBy: byId, select: COLUMNS.consents })),

  sign_ins: async (db, actorId) => {
    // Prisma does not escape the underscore, which stands for any letter.
    const where = { actorId, action: { startsWith: "sign\\_in." } };
    const rows = await db.auditEvent.findMany({ where, orderBy: byId, select: COLUMNS.sign_ins });
    return rows.map(({ at, action, details, ...row }) => {
      const { way = null, gate = null } = (details ?? {}) as { way?: string; gate?: string };
      return spelled({ at, outcome: action.slice("sign_in.".length), way, gate, ...row });
    });
  },

  // Of what others did to the account, the address they did it from is theirs.
  activity: async (db, id) => {
    const where = { OR: [{ actorId: id }, { objectType: "User", objectId: String(id) }] };
    const rows = await db.auditEvent.findMany({ where, orderBy: byId, select: COLUMNS.activity });
    return rows.map(({ actorId, details, ip, userAgent, ...row }) => {
      const mine = actorId === id;
      const theirs = { details: null, ip: null, userAgent: null };
      const byMe = actorId === null ? null : mine;
      return spelled({ ...row, byMe, ...(mine ? { details, ip, userAgent } : theirs) });
    });
  },

  sessions_and_keys: async (db, userId) =>
    all(
      await db.accessToken.findMany({ where: { userId }, orderBy: byId, select: COLUMNS.sessions_and_keys }),
    ),

  trusted_devices: async (db, userId) =>
    all(
      await db.trustedDevice.findMany({ where: { userId }, orderBy: byId, select: COLUMNS.trusted_devices }),
    ),

  two_factor: async (db, userId) => {
    const factors = await db.factor.findMany({ where: { userId }, orderBy: byId, select: COLUMNS.factors });
    const codes = await db.recoveryCode.findMany({
      where: { userId },
      orderBy: byId,
      select: COLUMNS.recovery_codes,
    });
    const both = [
      ...factors,
      ...codes.map(({ createdAt, usedAt }) => ({
        kind: "recovery_code",
        createdAt,
        confirmedAt: null,
        lastUsedAt: usedAt,
      })),
    ];
    return all(both.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime()));
  },

  passkeys: async (db, userId) =>
    all(await db.passkey.findMany({ where: { userId }, orderBy: byAge, select: COLUMNS.passkeys })),

  identities: async (db, userId) =>
    all(await db.externalIdentity.findMany({ where: { userId }, orderBy: byId, select: COLUMNS.identities })),

  sites: async (db, userId) =>
    all(await db.site.findMany({ where: { userId }, orderBy: byId, select: COLUMNS.sites })),

  site_keys: async (db, userId) =>
    all(
      await db.externalKey.findMany({
        where: { site: { userId } },
        orderBy: byId,
        select: COLUMNS.site_keys,
      }),
    ),

  mail_accounts: async (db, userId) => {
    const where = { OR: [{ userId }, { site: { userId } }] };
    return all(await db.mailAccount.findMany({ where, orderBy: byId, select: COLUMNS.mail_accounts }));
  },

  subscriptions: async (db, userId) => {
    const select = COLUMNS.subscriptions;
    const rows = await db.subscription.findMany({ where: { userId }, orderBy: byId, select });
    return rows.map(({ id, plan, ...row }) =>
      spelled({ id, plan: plan.name, price: plan.price, currency: plan.currency, ...row }),
    );
  },

  licences: async (db, userId) =>
    all(await db.siteLicence.findMany({ where: { userId }, orderBy: byId, select: COLUMNS.licences })),

  credits: async (db, userId) =>
    all(await db.creditEntry.findMany({ where: { userId }, orderBy: byId, select: COLUMNS.credits })),

  usage: async (db, userId) => {
    const orderBy = { month: "asc" } as const;
    const rows = await db.usageMonth.findMany({ where: { userId }, orderBy, select: COLUMNS.usage });
    return all(rows.map((row) => ({ ...row, month: row.month.toISOString().slice(0, 10) })));
  },

  team: async (db, id) => {
    const where = { parentUserId: id, anonymisedAt: null };
    return all(await db.user.findMany({ where, orderBy: byId, select: COLUMNS.team }));
  },

  invitations: async (db, inviterId) =>
    all(await db.invitation.findMany({ where: { inviterId }, orderBy: byId, select: COLUMNS.invitations })),

  // The texts of mails hold links and codes; what they were about is in the subject.
  mails: async (db, userId) => {
    const rows = await db.mailMessage.findMany({ where: { userId }, orderBy: byId, select: COLUMNS.mails });
    return rows.map(({ sealed, ...row }) => spelled({ subject: subjectOf(sealed), ...row }));
  },

  text_messages: async (db, userId) =>
    all(await db.smsMessage.findMany({ where: { userId }, orderBy: byId, select: COLUMNS.text_messages })),

  reseller: async (db, id) => {
    const where = { id, OR: [{ resellerDesk: { isNot: null } }, { portal: { isNot: null } }] };
    const rows = await db.user.findMany({ where, select: COLUMNS.reseller });
    return rows.map(({ resellerDesk: desk, portal }) => ({
      referral_code: desk?.referralCode ?? null,
      agreement_version: desk?.agreementVersion ?? null,
      agreement_signed_at: desk?.agreementSignedAt ?? null,
      portal_domain: portal?.domain ?? null,
      brand_name: portal?.brandName ?? null,
      lock_customers: portal?.lockCustomers ?? null,
      portal_created_at: portal?.createdAt ?? null,
    }));
  },

  exports: async (db, userId) =>
    all(await db.dataExport.findMany({ where: { userId }, orderBy: byAge, select: COLUMNS.exports })),
};

const all = (rows: object[]): Row[] => rows.map(spelled);

/** A row by the names that files have: `createdAt` is `created_at`. */
function spelled(row: object): Row {
  const named = Object.entries(row).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries(named);
}

/** null for a mail that was sealed under a key which is gone: one old mail keeps nobody from the rest. */
function subjectOf(sealed: Uint8Array): string | null {
  try {
    return readMail(sealed).subject;
  } catch {
    return null;
  }
}
