import type { Output } from "@/server/core/contract";
import type {
  cleanConnections,
  countDeadConnections,
  getCleanup,
  listConnections,
  listIdleConnections,
} from "@/server/domains/sites/connections/contract";

export type Connection = Output<typeof listConnections>["data"][number];
export type IdleConnection = Output<typeof listIdleConnections>["data"][number];
export type DeadConnections = Output<typeof countDeadConnections>;
export type DeadConnection = DeadConnections["connections"][number];
export type CleanupResult = Output<typeof cleanConnections>["results"][number];
export type CleanupReceipt = Output<typeof getCleanup>["receipt"];

export interface OwnSite {
  id: number;
  name: string;
  isActive: boolean;
}
