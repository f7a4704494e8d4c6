import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  createUserToken,
  deleteUserToken,
  endOtherSessions,
  endSession,
  forgetTrustedDevice,
  getActiveAccountSeries,
  getKeySeries,
  getSignInSeries,
  getTokenUse,
  listSessions,
  listSignIns,
  listTrustedDevices,
  listUserTokens,
  logout,
  tryUserToken,
} from "./contract";
import { archiveReaders } from "./export";
import {
  deleteExpiredTokensJob,
  mailDeviceNoticeJob,
  remindOfExpiringKeysJob,
  sampleActivityJob,
} from "./jobs";
import { listActiveAccountsOverTime } from "./service/active-accounts";
import * as devices from "./service/devices";
import { countOwnCallsOverTime } from "./service/key-series";
import * as keys from "./service/keys";
import * as sessions from "./service/sessions";
import { listSignInHistory } from "./service/sign-in-history";
import { countSignInsOverTime } from "./service/sign-in-series";
import * as tokenService from "./service/tokens";
import { createTrialKey } from "./service/trial-key";

export const tokens = domain({
  operations: {
    logout: createHandler(logout, tokenService.logout),
    listKeys: createHandler(listUserTokens, keys.listOwnKeys),
    keyUse: createHandler(getTokenUse, keys.getOwnKeyUse),
    keySeries: createHandler(getKeySeries, countOwnCallsOverTime),
    createKey: createHandler(createUserToken, keys.createOwnKey),
    tryKey: createHandler(tryUserToken, createTrialKey),
    removeKey: createHandler(deleteUserToken, keys.revokeOwnKey),
    listSessions: createHandler(listSessions, sessions.listOwnSessions),
    endSession: createHandler(endSession, sessions.endOwnSession),
    endOtherSessions: createHandler(endOtherSessions, sessions.endAllOtherSessions),
    listDevices: createHandler(listTrustedDevices, devices.listOwnDevices),
    forgetDevice: createHandler(forgetTrustedDevice, devices.forgetOwnDevice),
    listSignIns: createHandler(listSignIns, listSignInHistory),
    signInSeries: createHandler(getSignInSeries, countSignInsOverTime),
    activeSeries: createHandler(getActiveAccountSeries, listActiveAccountsOverTime),
  },
  jobs: {
    notice_sign_in: job(mailDeviceNoticeJob),
    remind_of_keys: job(remindOfExpiringKeysJob, { cron: "23 * * * *", catchUp: "1d" }),
    forget_tokens: job(deleteExpiredTokensJob, { cron: "18 * * * *", catchUp: "1d" }),
    sample_activity: job(sampleActivityJob, { cron: "0 * * * *" }),
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
