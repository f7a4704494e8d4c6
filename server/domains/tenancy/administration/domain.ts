import { createHandler } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import {
  changeUsers,
  completeSetup,
  downloadUsers,
  getAccount,
  getSetup,
  listUsers,
  sendUserPasswordMail,
  sendUserVerification,
  setUserParent,
  setUserReseller,
  setUserRole,
  setUserStatus,
  signOutUser,
  unlockUser,
} from "./contract";
import { getAccountDetail } from "./service/account-detail";
import { changeAccounts } from "./service/bulk";
import { downloadAccounts, listAccounts } from "./service/list";
import { setParent } from "./service/parent";
import { setReseller } from "./service/reseller";
import { setRole } from "./service/role";
import * as setup from "./service/setup";
import {
  resendVerificationMail,
  sendPasswordMail,
  signOutAccount,
  unlockAccount,
} from "./service/sign-in-help";
import { setStatus } from "./service/status";

export const administration = domain({
  operations: {
    listUsers: createHandler(listUsers, listAccounts),
    downloadUsers: createHandler(downloadUsers, downloadAccounts),
    changeUsers: createHandler(changeUsers, changeAccounts),
    getAccount: createHandler(getAccount, getAccountDetail),
    setRole: createHandler(setUserRole, setRole),
    setReseller: createHandler(setUserReseller, setReseller),
    setParent: createHandler(setUserParent, setParent),
    setStatus: createHandler(setUserStatus, setStatus),
    signOut: createHandler(signOutUser, signOutAccount),
    sendVerification: createHandler(sendUserVerification, resendVerificationMail),
    sendPasswordMail: createHandler(sendUserPasswordMail, sendPasswordMail),
    unlock: createHandler(unlockUser, unlockAccount),
    getSetup: createHandler(getSetup, setup.readSetup),
    completeSetup: createHandler(completeSetup, setup.createFirstAdministrator),
  },
  mails: ["administrator_appointed"],
  notices: [
    "role_changed",
    "reseller_changed",
    "parent_changed",
    "account_activated",
    "account_deactivated",
    "account_signed_out",
  ],
  audit: [
    "admin.granted_by_setting",
    "admin.granted_by_console",
    "role.changed",
    "account.activated",
    "account.deactivated",
    "account.signed_out",
    "account.verification_sent",
    "account.password_mail_sent",
    "account.unlocked",
    "account.reseller_changed",
    "account.parent_changed",
    "admin.granted_by_setup",
  ],
  tokens: { dsf: "set-up by the first administrator" },
});
