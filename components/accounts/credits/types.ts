import type { Output } from "@/server/core/contract";
import type { listCredits } from "@/server/domains/accounts/credits/contract";

export type CreditEntry = Output<typeof listCredits>["data"][number];
