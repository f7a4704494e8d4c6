import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { listAudit } from "./contract";
import { list } from "./service";

export const auditLog = domain({
  operations: { listEntries: handle(listAudit, list) },
});
