import type * as z from "zod";
import type { keyUse, recentUse } from "@/server/domains/accounts/key-use/contract";

export type KeyUse = z.output<z.ZodObject<typeof keyUse>>;
export type RecentUse = z.output<z.ZodObject<typeof recentUse>>;
