import type { FailedWork } from "@/server/core/domain";
import { requeueDocument } from "./manage";

const FAILED_DOCUMENT = { state: "failed" } as const;

export const failedDocuments: FailedWork = {
  page: "/admin/accounting?state=failed",
  async inspect({ db }) {
    const { _count, _min } = await db.accountingDocument.aggregate({
      where: FAILED_DOCUMENT,
      _count: true,
      _min: { updatedAt: true },
    });
    const lastFailure = await db.accountingDocument.findFirst({
      where: FAILED_DOCUMENT,
      orderBy: { updatedAt: "desc" },
      select: { problem: true, problemText: true },
    });
    return {
      count: _count,
      since: _min.updatedAt,
      error: lastFailure?.problemText ?? lastFailure?.problem ?? null,
    };
  },
  async retry(tx, limit) {
    const rows = await tx.db.accountingDocument.findMany({
      where: { ...FAILED_DOCUMENT, step: { not: null } },
      orderBy: { id: "asc" },
      take: limit,
      select: { id: true, state: true, step: true },
    });
    let count = 0;
    for (const row of rows) if (await requeueDocument(tx, row)) count++;
    return count;
  },
};
