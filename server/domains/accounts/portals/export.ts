import type { ExportReader } from "@/server/core/domain";

export const archiveReaders = {
  reseller: async (db, id) => {
    const rows = await db.user.findMany({
      where: { id, OR: [{ resellerDesk: { isNot: null } }, { portal: { isNot: null } }] },
      select: {
        resellerDesk: { select: { referralCode: true, agreementVersion: true, agreementSignedAt: true } },
        portal: { select: { domain: true, lockCustomers: true, createdAt: true, verifiedAt: true } },
      },
    });
    return rows.map(({ resellerDesk: desk, portal }) => ({
      referralCode: desk?.referralCode ?? null,
      agreementVersion: desk?.agreementVersion ?? null,
      agreementSignedAt: desk?.agreementSignedAt ?? null,
      portalDomain: portal?.domain ?? null,
      lockCustomers: portal?.lockCustomers ?? null,
      portalCreatedAt: portal?.createdAt ?? null,
      portalVerifiedAt: portal?.verifiedAt ?? null,
    }));
  },
} as const satisfies Record<string, ExportReader>;
