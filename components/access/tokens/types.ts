import type { Output } from "@/server/core/contract";
import type { createUserToken, listUserTokens } from "@/server/domains/access/tokens/contract";

export type Key = Output<typeof listUserTokens>["tokens"][number];
export type CreatedKey = Output<typeof createUserToken>;
