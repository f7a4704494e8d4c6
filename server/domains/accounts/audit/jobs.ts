import { createSystemContext } from "@/server/core/context";
import { log } from "@/server/core/log";
import { DAY, fromNow } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { readSetting } from "@/server/infrastructure/settings";
import { audit } from "./service/audit";
import { verifyAudit } from "./service/check";
import { deleteExpiredEntries } from "./service/retention";
import { sealEntries } from "./service/seal";

const MAX_ENTRIES_PER_RUN = 20_000;

export async function sealAuditJob(): Promise<void> {
  await sealEntries({ maxEntries: MAX_ENTRIES_PER_RUN });
}

export async function checkAuditJob(): Promise<void> {
  const access = withoutTransaction();
  const { entryCount, erasedCount, sealCount, broken: firstBreak } = await verifyAudit(access);
  if (firstBreak) log.error({ event: "audit.broken", ...firstBreak });
  const details = {
    entries: entryCount,
    erased: erasedCount,
    seals: sealCount,
    broken: firstBreak?.reason ?? null,
    at: firstBreak?.id ?? null,
  };
  await audit(createSystemContext(access), { action: "audit.checked", details });
}

export async function deleteExpiredAuditJob(): Promise<void> {
  const retentionDays = await readSetting(withoutTransaction(), "audit_retention_days");
  await deleteExpiredEntries({ before: fromNow(-retentionDays * DAY) });
}
