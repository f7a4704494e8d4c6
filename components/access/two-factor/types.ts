import type { Answer } from "@/server/core/contract";
import type { listTwoFactorMethods, startTotp } from "@/server/domains/access/two-factor/contract";

export type TwoFactor = Answer<typeof listTwoFactorMethods>;
export type FactorMethod = TwoFactor["methods"][number];
export type TotpStart = Answer<typeof startTotp>;
