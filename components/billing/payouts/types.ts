import type { Output } from "@/server/core/contract";
import type { listOpenEarnings } from "@/server/domains/billing/payouts/contract";

export type ResellerEarnings = Output<typeof listOpenEarnings>["data"][number];
