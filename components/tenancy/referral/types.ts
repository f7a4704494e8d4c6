import type { Output } from "@/server/core/contract";
import type { getReferral } from "@/server/domains/tenancy/referral/contract";

export type ReferralResponse = Output<typeof getReferral>;
export type Referral = ReferralResponse["referral"];
