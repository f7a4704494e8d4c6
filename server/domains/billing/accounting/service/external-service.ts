import { type ExternalService, ExternalServiceError } from "@/server/core/domain";
import { env } from "@/server/core/env";
import type { Problem } from "../policy";
import { testAccountingConnection } from "./test-connection";

const CONFIGURATION_PROBLEMS: readonly (Problem | null)[] = ["credentials", "refused", "data"];

/** Paraşüt. A successful test also resumes paused invoicing, as on the accounting page. */
export const parasutService: ExternalService = {
  label: "Paraşüt",
  settings:
    "PARASUT_COMPANY_ID, PARASUT_CLIENT_ID, PARASUT_CLIENT_SECRET, PARASUT_USERNAME, PARASUT_PASSWORD, PARASUT_BANK_ACCOUNT_ID",
  isConfigured: () => Boolean(env().parasut),
  async test(ctx) {
    const { checks } = await testAccountingConnection(ctx, { params: {}, query: {}, body: {} });
    const failedCheck = checks.find(({ ok }) => !ok);
    if (!failedCheck) return;
    if (CONFIGURATION_PROBLEMS.includes(failedCheck.problem)) throw new ExternalServiceError("refused");
    throw new ExternalServiceError(failedCheck.problem === "protocol" ? "unexpected" : "unreachable");
  },
};
