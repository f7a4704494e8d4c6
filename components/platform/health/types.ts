import type { Output } from "@/server/core/contract";
import type { getPlatformHealth, testParty } from "@/server/domains/platform/health/contract";

export type Health = Output<typeof getPlatformHealth>;
export type HealthRow = Health["rows"][number];
export type ServiceTest = Output<typeof testParty>;
export type ServerProcess = Health["processes"][number];
