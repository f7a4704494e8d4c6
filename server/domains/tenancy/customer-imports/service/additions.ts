import type { Additions } from "@/server/core/domain";
import { audit } from "@/server/domains/accounts/audit/service/audit";

const PENDING = { in: ["uploaded", "running"] } as const;

export const importAdditions: Additions = {
  async find({ db }, userId, since) {
    const rows = await db.customerImport.findMany({
      where: { resellerId: userId, state: { in: [...PENDING.in] }, createdAt: { gte: since } },
      orderBy: { id: "desc" },
      select: { id: true, fileName: true, createdAt: true },
    });
    return rows.map(({ id, fileName, createdAt }) => ({ id, name: fileName ?? "", at: createdAt }));
  },
  async end(tx, userId, ids) {
    await tx.db.customerImport.deleteMany({ where: { resellerId: userId, id: { in: [...ids] } } });
    for (const id of ids)
      await audit(tx, {
        action: "customer.import_ended",
        object: { type: "CustomerImport", id },
        actorId: userId,
      });
  },
};
