import type { Output } from "@/server/core/contract";
import type { listTwoFactorMethods, startTotp } from "@/server/domains/access/two-factor/contract";

export type TwoFactorMethods = Output<typeof listTwoFactorMethods>;
export type FactorMethod = TwoFactorMethods["choices"][number];
export type TotpStart = Output<typeof startTotp>;
