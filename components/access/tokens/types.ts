import type { Answer } from "@/server/core/contract";
import type { createUserToken, listUserTokens } from "@/server/domains/access/tokens/contract";

export type Keys = Answer<typeof listUserTokens>;
export type Key = Keys["tokens"][number];
export type CreatedKey = Answer<typeof createUserToken>;
