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
import { AVATAR_FOLDER, deleteAvatar, storeAvatar } from "./service/avatar";
import * as localeService from "./service/locales";
import { getPasswordState } from "./service/password";
import { changeProfile, changeUser } from "./service/update";

export const account = domain({
  operations: {
    updateUser: handle(putUser, changeUser),
    updateProfile: handle(putProfile, changeProfile),
    getPassword: handle(getPassword, getPasswordState),
    uploadAvatar: handle(uploadAvatar, storeAvatar),
    removeAvatar: handle(removeAvatar, deleteAvatar),
    getMeta: handle(getI18nMeta, localeService.getLocaleOverview),
    getDictionary: handle(getDictionary, localeService.getDictionaryJson),
    setLocale: handle(putUserLocale, localeService.setUserLocale),
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
  storedFileColumns: [{ table: "users", column: "avatar_url", folder: AVATAR_FOLDER }],
});
