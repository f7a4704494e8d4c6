import type { FailedWork } from "@/server/core/domain";
import { requeueDocument } from "./manage";

const FAILED_DOCUMENT_FILTER = { state: "failed" } as const;

export const failedDocuments: FailedWork = {
  page: "/admin/accounting?state=failed",
  async inspect({ db }) {
    const { _count, _min } = await db.accountingDocument.aggregate({
      where: FAILED_DOCUMENT_FILTER,
      _count: true,
      _min: { updatedAt: true },
    });
    const lastFailure = await db.accountingDocument.findFirst({
      where: FAILED_DOCUMENT_FILTER,
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
      where: { ...FAILED_DOCUMENT_FILTER, step: { not: null } },
      orderBy: { id: "asc" },
      take: limit,
      select: { id: true, state: true, step: true },
    });
    let requeuedCount = 0;
    for (const row of rows) if (await requeueDocument(tx, row)) requeuedCount++;
    return requeuedCount;
  },
};
