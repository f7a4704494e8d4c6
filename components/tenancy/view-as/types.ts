import type { Output } from "@/server/core/contract";
import type { getSupportAccess, getView } from "@/server/domains/tenancy/view-as/contract";

export type CurrentView = NonNullable<Output<typeof getView>["view"]>;
export type SupportAccess = Output<typeof getSupportAccess>;
export type Visit = SupportAccess["support_access"]["visits"][number];
