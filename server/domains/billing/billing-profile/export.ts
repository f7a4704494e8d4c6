import type { ExportReader } from "@/server/core/domain";
import { decryptTaxNumber } from "./service";

export const archiveReaders = {
  billing_profile: async (db, userId) => {
    const rows = await db.billingProfile.findMany({ where: { userId } });
    return rows.map((row) => ({
      kind: row.kind,
      title: row.title,
      taxNumber: decryptTaxNumber(row),
      taxOffice: row.taxOffice,
      address: row.address,
      district: row.district,
      city: row.city,
      country: row.country,
      email: row.email,
      updatedAt: row.updatedAt,
    }));
  },
} as const satisfies Record<string, ExportReader>;
