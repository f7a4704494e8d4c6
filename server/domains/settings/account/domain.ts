import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  getDictionary,
  getI18nMeta,
  getPassword,
  putProfile,
  putUser,
  putUserLocale,
  removeAvatar,
  uploadAvatar,
} from "./contract";
import { sweepAvatarsJob } from "./jobs";
import { AVATARS, remove, upload } from "./service/avatar";
import * as service from "./service/locales";
import { getPasswordState } from "./service/password";
import { changeProfile, changeUser } from "./service/update";

export const account = domain({
  operations: {
    updateUser: handle(putUser, changeUser),
    updateProfile: handle(putProfile, changeProfile),
    getPassword: handle(getPassword, getPasswordState),
    uploadAvatar: handle(uploadAvatar, upload),
    removeAvatar: handle(removeAvatar, remove),
    getMeta: handle(getI18nMeta, service.getMeta),
    getDictionary: handle(getDictionary, service.get),
    setLocale: handle(putUserLocale, service.setLocale),
  },
  audit: [
    "password.changed",
    "profile.changed",
    "profile.avatar_changed",
    "profile.avatar_removed",
    "profile.locale_changed",
  ],
  jobs: {
    sweep_avatars: job(sweepAvatarsJob, { cron: "47 * * * *", catchUp: "1d" }),
  },
  stored: [{ table: "users", column: "avatar_url", folder: AVATARS }],
});
