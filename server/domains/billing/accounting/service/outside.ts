import { type Party, PartyProblem } from "@/server/core/domain";
import { env } from "@/server/core/env";
import type { Problem } from "../policy";
import { test } from "./check";

/** What somebody can correct by a setting; the others pass, or are the service's own. */
const REFUSALS: readonly (Problem | null)[] = ["credentials", "refused", "data"];

/** Paraşüt. What was paused goes on when it takes us, as after the test of the accounting page. */
export const parasutParty: Party = {
  label: "Paraşüt",
  settings:
    "PARASUT_COMPANY_ID, PARASUT_CLIENT_ID, PARASUT_CLIENT_SECRET, PARASUT_USERNAME, PARASUT_PASSWORD, PARASUT_BANK_ACCOUNT_ID",
  isSet: () => Boolean(env().parasut),
  async test(ctx) {
    const { checks } = await test(ctx, { params: {}, query: {}, body: {} });
    const broken = checks.find(({ ok }) => !ok);
    if (!broken) return;
    if (REFUSALS.includes(broken.problem)) throw new PartyProblem("refused");
    throw new PartyProblem(broken.problem === "protocol" ? "unexpected" : "unreachable");
  },
};
