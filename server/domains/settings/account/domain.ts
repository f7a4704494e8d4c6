import { createHandler } from "@/server/core/contract";
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
    updateUser: createHandler(putUser, changeUser),
    updateProfile: createHandler(putProfile, changeProfile),
    getPassword: createHandler(getPassword, getPasswordState),
    uploadAvatar: createHandler(uploadAvatar, storeAvatar),
    removeAvatar: createHandler(removeAvatar, deleteAvatar),
    getMeta: createHandler(getI18nMeta, localeService.getLocaleOverview),
    getDictionary: createHandler(getDictionary, localeService.getDictionaryJson),
    setLocale: createHandler(putUserLocale, localeService.setUserLocale),
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
