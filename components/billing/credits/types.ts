import type { Output } from "@/server/core/contract";
import type { listCredits } from "@/server/domains/billing/credits/contract";

export type CreditEntry = Output<typeof listCredits>["data"][number];
