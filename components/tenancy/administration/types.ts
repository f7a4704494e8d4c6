import type { Input, Output } from "@/server/core/contract";
import type { explainAddress, explainGates } from "@/server/domains/access/sign-in/contract";
import type { changeUsers, getAccount, listUsers } from "@/server/domains/tenancy/administration/contract";

export type UserRow = Output<typeof listUsers>["data"][number];
export type UserDetail = Output<typeof getAccount>["user"];
export type Role = UserRow["role"];
export const ROLES = ["user", "reseller", "admin"] as const satisfies readonly Role[];
export type Gate = Output<typeof explainGates>["gates"][number];
export type Explanation = Output<typeof explainAddress>;
export type BulkAction = Input<typeof changeUsers>["body"]["action"];
export type BulkResult = Output<typeof changeUsers>;
