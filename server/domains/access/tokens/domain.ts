import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  createUserToken,
  deleteUserToken,
  endOtherSessions,
  endSession,
  forgetTrustedDevice,
  getTokenUse,
  listSessions,
  listSignIns,
  listTrustedDevices,
  listUserTokens,
  logout,
  tryUserToken,
} from "./contract";
import { exports } from "./export";
import { deleteExpiredTokensJob, noticeSignInJob, remindOfKeysJob } from "./jobs";
import * as devices from "./service/devices";
import { history } from "./service/history";
import * as keys from "./service/keys";
import * as sessions from "./service/sessions";
import * as service from "./service/tokens";
import { createTrialKey } from "./service/trial-key";

export const tokens = domain({
  operations: {
    logout: handle(logout, service.logout),
    listKeys: handle(listUserTokens, keys.list),
    keyUse: handle(getTokenUse, keys.use),
    createKey: handle(createUserToken, keys.create),
    tryKey: handle(tryUserToken, createTrialKey),
    removeKey: handle(deleteUserToken, keys.remove),
    listSessions: handle(listSessions, sessions.list),
    endSession: handle(endSession, sessions.end),
    endOtherSessions: handle(endOtherSessions, sessions.endOthers),
    listDevices: handle(listTrustedDevices, devices.list),
    forgetDevice: handle(forgetTrustedDevice, devices.forget),
    listSignIns: handle(listSignIns, history),
  },
  jobs: {
    notice_sign_in: job(noticeSignInJob),
    remind_of_keys: job(remindOfKeysJob, { cron: "23 * * * *", catchUp: "1d" }),
    forget_tokens: job(deleteExpiredTokensJob, { cron: "18 * * * *", catchUp: "1d" }),
  },
  relations: [
    {
      table: "access_tokens",
      column: "user_id",
      topic: "sign_ins",
      onDeletion: "delete",
      export: "sessions_and_keys",
    },
    {
      table: "trusted_devices",
      column: "user_id",
      topic: "sign_ins",
      onDeletion: "delete",
      export: "trusted_devices",
    },
  ],
  exports,
  notices: ["new_sign_in", "key_ends_soon"],
  audit: ["session.ended", "device.forgotten", "api_key.created", "api_key.revoked"],
  tokens: {
    dsu: "user token, sent as `Authorization: Bearer`",
    dss: "panel session, in a cookie only",
  },
});
