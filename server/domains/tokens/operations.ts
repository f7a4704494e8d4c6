import { handle } from "@/server/core/contract";
import {
  createUserToken,
  deleteUserToken,
  endOtherSessions,
  endSession,
  listSessions,
  listUserTokens,
  logout,
} from "./contract";
import * as keys from "./service/keys";
import * as sessions from "./service/sessions";
import * as tokens from "./service/tokens";

export const tokenOperations = {
  logout: handle(logout, tokens.logout),
  keys: handle(listUserTokens, keys.list),
  createKey: handle(createUserToken, keys.create),
  removeKey: handle(deleteUserToken, keys.remove),
  sessions: handle(listSessions, sessions.list),
  endSession: handle(endSession, sessions.end),
  endOtherSessions: handle(endOtherSessions, sessions.endOthers),
};
