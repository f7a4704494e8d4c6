import { handle } from "@/server/core/contract";
import {
  createUserToken,
  deleteUserToken,
  endOtherSessions,
  endSession,
  forgetTrustedDevice,
  listSessions,
  listSignIns,
  listTrustedDevices,
  listUserTokens,
  logout,
} from "./contract";
import * as devices from "./service/devices";
import { history } from "./service/history";
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
  devices: handle(listTrustedDevices, devices.list),
  forgetDevice: handle(forgetTrustedDevice, devices.forget),
  signIns: handle(listSignIns, history),
};
