import type * as z from "zod";
import type { LicenceRow, PaymentRow, SubscriptionRow } from "@/server/domains/billing/records/contract";

export type Subscription = z.output<typeof SubscriptionRow>;
export type Payment = z.output<typeof PaymentRow>;
export type Licence = z.output<typeof LicenceRow>;
