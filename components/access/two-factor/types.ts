import type { Output } from "@/server/core/contract";
import type { listTwoFactorMethods, startTotp } from "@/server/domains/access/two-factor/contract";

export type TwoFactor = Output<typeof listTwoFactorMethods>;
export type FactorMethod = TwoFactor["choices"][number];
export type TotpStart = Output<typeof startTotp>;
