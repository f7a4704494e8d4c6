import { systemContext } from "@/server/core/context";
import { log } from "@/server/core/log";
import { DAY, fromNow } from "@/server/core/time";
import { outside } from "@/server/infrastructure/database/transaction";
import { settingNow } from "@/server/infrastructure/settings";
import { audit } from "./service/audit";
import { verifyAudit } from "./service/check";
import { forgetEntries } from "./service/forget";
import { sealEntries } from "./service/seal";

const RUN = 20_000;

export async function sealAuditJob(): Promise<void> {
  await sealEntries({ most: RUN });
}

export async function checkAuditJob(): Promise<void> {
  const work = outside();
  const { entries, erased, seals, broken } = await verifyAudit(work);
  if (broken) log.error({ event: "audit.broken", ...broken });
  const details = { entries, erased, seals, broken: broken?.reason ?? null, at: broken?.id ?? null };
  await audit(systemContext(work), { action: "audit.checked", details });
}

export async function forgetAuditJob(): Promise<void> {
  const days = await settingNow(outside(), "audit_retention_days");
  await forgetEntries({ before: fromNow(-days * DAY) });
}
