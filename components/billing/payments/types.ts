import type { Output } from "@/server/core/contract";
import type { activateSubscription, previewActivation } from "@/server/domains/billing/payments/contract";

export type Activation = Output<typeof activateSubscription>;
export type Preview = Output<typeof previewActivation>;
