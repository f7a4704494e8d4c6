import type * as z from "zod";
import type { keyUseFields, recentUseFields } from "@/server/domains/accounts/key-use/contract";

export type KeyUse = z.output<z.ZodObject<typeof keyUseFields>>;
export type RecentUse = z.output<z.ZodObject<typeof recentUseFields>>;
