import type { Output } from "@/server/core/contract";
import type { getImport } from "@/server/domains/tenancy/customer-imports/contract";

export type Import = Output<typeof getImport>["import"];
export type ImportRow = Import["rows"][number];
export type MappedField = keyof Import["mapping"];
