import type { AdditionSource } from "@/server/core/domain";
import { audit } from "@/server/domains/accounts/audit/service/audit";

const PENDING_STATES = { in: ["uploaded", "running"] } as const;

export const importAdditions: AdditionSource = {
  async find({ db }, userId, since) {
    const rows = await db.customerImport.findMany({
      where: { resellerId: userId, state: { in: [...PENDING_STATES.in] }, createdAt: { gte: since } },
      orderBy: { id: "desc" },
      select: { id: true, fileName: true, createdAt: true },
    });
    return rows.map(({ id, fileName, createdAt }) => ({ id, name: fileName ?? "", at: createdAt }));
  },
  async revoke(tx, userId, ids) {
    await tx.db.customerImport.deleteMany({ where: { resellerId: userId, id: { in: [...ids] } } });
    for (const id of ids)
      await audit(tx, {
        action: "customer.import_ended",
        object: { type: "CustomerImport", id },
        actorId: userId,
      });
  },
};
