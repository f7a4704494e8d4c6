import type { Output } from "@/server/core/contract";
import type { createUserToken, listUserTokens } from "@/server/domains/access/tokens/contract";

export type Keys = Output<typeof listUserTokens>;
export type Key = Keys["tokens"][number];
export type CreatedKey = Output<typeof createUserToken>;
