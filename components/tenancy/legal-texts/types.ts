import type { Output } from "@/server/core/contract";
import type { getAgreement } from "@/server/domains/tenancy/legal-texts/contract";

export type Agreement = Output<typeof getAgreement>["agreement"];
export type Signature = Agreement["signatures"][number];
