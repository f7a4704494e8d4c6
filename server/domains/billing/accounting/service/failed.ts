import type { FailedWork } from "@/server/core/domain";
import { requeueDocument } from "./manage";

const where = { state: "failed" } as const;

/** Invoices that wait for an administrator. */
export const failedDocuments: FailedWork = {
  page: "/admin/accounting?state=failed",
  async inspect({ db }) {
    const { _count, _min } = await db.accountingDocument.aggregate({
      where,
      _count: true,
      _min: { updatedAt: true },
    });
    const last = await db.accountingDocument.findFirst({
      where,
      orderBy: { updatedAt: "desc" },
      select: { problem: true, problemText: true },
    });
    return { count: _count, since: _min.updatedAt, error: last?.problemText ?? last?.problem ?? null };
  },
  async retry(tx, limit) {
    const rows = await tx.db.accountingDocument.findMany({
      where: { ...where, step: { not: null } },
      orderBy: { id: "asc" },
      take: limit,
      select: { id: true, state: true, step: true },
    });
    let count = 0;
    for (const row of rows) if (await requeueDocument(tx, row)) count++;
    return count;
  },
};
