import type { Output } from "@/server/core/contract";
import type { createUserToken, listSessions, listUserTokens } from "@/server/domains/access/tokens/contract";

export type ApiKey = Output<typeof listUserTokens>["tokens"][number];
export type CreatedKey = Output<typeof createUserToken>;
export type Sessions = Output<typeof listSessions>;
export type Session = Sessions["sessions"][number];
