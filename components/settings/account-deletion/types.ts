import type { Output } from "@/server/core/contract";
import type { getDeletionForecast } from "@/server/domains/settings/account-deletion/contract";

export type DeletionForecast = Output<typeof getDeletionForecast>;
