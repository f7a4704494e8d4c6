import { DAY, fromNow } from "@/server/core/time";
import { forgetEntries } from "@/server/domains/accounts/audit/service/forget";
import { outside } from "@/server/infrastructure/database/transaction";
import { settingNow } from "@/server/infrastructure/settings";

/** Deletes entries that are older than administrators want them kept. */
export async function forgetAuditJob(): Promise<void> {
  const days = await settingNow(outside(), "audit_retention_days");
  await forgetEntries({ before: fromNow(-days * DAY) });
}
