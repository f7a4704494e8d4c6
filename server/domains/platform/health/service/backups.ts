import { createSystemContext } from "@/server/core/context";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import type { BackupSummary } from "@/server/infrastructure/backup/backup";
import { inTransaction } from "@/server/infrastructure/database/transaction";

/** Records a complete backup in the audit log; the health page reads its age there. */
export async function recordBackup({ rows, files, backupBytes }: BackupSummary): Promise<void> {
  await inTransaction((tx) =>
    audit(createSystemContext(tx), { action: "backup.made", details: { rows, files, size: backupBytes } }),
  );
}
