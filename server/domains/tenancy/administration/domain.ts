import { handle } from "@/server/core/contract";
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
import { changeMany } from "./service/bulk";
import * as setup from "./service/complete";
import { get } from "./service/get";
import { resendVerificationMail, sendPasswordMail, signOut, unlock } from "./service/help";
import { download, list } from "./service/list";
import { setParent } from "./service/parent";
import { setReseller } from "./service/reseller";
import { setRole } from "./service/role";
import { setStatus } from "./service/status";

export const administration = domain({
  operations: {
    listUsers: handle(listUsers, list),
    downloadUsers: handle(downloadUsers, download),
    changeUsers: handle(changeUsers, changeMany),
    getAccount: handle(getAccount, get),
    setRole: handle(setUserRole, setRole),
    setReseller: handle(setUserReseller, setReseller),
    setParent: handle(setUserParent, setParent),
    setStatus: handle(setUserStatus, setStatus),
    signOut: handle(signOutUser, signOut),
    sendVerification: handle(sendUserVerification, resendVerificationMail),
    sendPasswordMail: handle(sendUserPasswordMail, sendPasswordMail),
    unlock: handle(unlockUser, unlock),
    getSetup: handle(getSetup, setup.get),
    completeSetup: handle(completeSetup, setup.complete),
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
