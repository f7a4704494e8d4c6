import { systemContext } from "@/server/core/context";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import type { Summary } from "@/server/infrastructure/backup/backup";
import { inTransaction } from "@/server/infrastructure/database/transaction";

/** Notes a complete backup in the audit log, by which the health page knows its age. */
export async function noteBackup({ rows, files, size }: Summary): Promise<void> {
  await inTransaction((tx) =>
    audit(systemContext(tx), { action: "backup.made", details: { rows, files, size } }),
  );
}
