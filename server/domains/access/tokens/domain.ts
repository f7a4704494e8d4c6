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
import { archiveReaders } from "./export";
import { deleteExpiredTokensJob, mailDeviceNoticeJob, remindOfExpiringKeysJob } from "./jobs";
import * as devices from "./service/devices";
import { listSignInHistory } from "./service/history";
import * as keys from "./service/keys";
import * as sessions from "./service/sessions";
import * as service from "./service/tokens";
import { createTrialKey } from "./service/trial-key";

export const tokens = domain({
  operations: {
    logout: handle(logout, service.logout),
    listKeys: handle(listUserTokens, keys.listOwnKeys),
    keyUse: handle(getTokenUse, keys.getOwnKeyUse),
    createKey: handle(createUserToken, keys.createOwnKey),
    tryKey: handle(tryUserToken, createTrialKey),
    removeKey: handle(deleteUserToken, keys.revokeOwnKey),
    listSessions: handle(listSessions, sessions.listOwnSessions),
    endSession: handle(endSession, sessions.endOwnSession),
    endOtherSessions: handle(endOtherSessions, sessions.endAllOtherSessions),
    listDevices: handle(listTrustedDevices, devices.listOwnDevices),
    forgetDevice: handle(forgetTrustedDevice, devices.forgetOwnDevice),
    listSignIns: handle(listSignIns, listSignInHistory),
  },
  jobs: {
    notice_sign_in: job(mailDeviceNoticeJob),
    remind_of_keys: job(remindOfExpiringKeysJob, { cron: "23 * * * *", catchUp: "1d" }),
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
  exports: archiveReaders,
  notices: ["new_sign_in", "key_ends_soon"],
  audit: ["session.ended", "device.forgotten", "api_key.created", "api_key.revoked"],
  tokens: {
    dsu: "user token, sent as `Authorization: Bearer`",
    dss: "panel session, in a cookie only",
  },
});
