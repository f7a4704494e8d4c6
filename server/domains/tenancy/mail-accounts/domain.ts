import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import {
  deleteMailAccount,
  deleteSiteMailAccount,
  getMailAccount,
  getSiteMailAccount,
  putMailAccount,
  putSiteMailAccount,
  testMailAccount,
  testSiteMailAccount,
} from "./contract";
import { mailAccountErrors } from "./errors";
import { exports } from "./export";
import { get, put, remove } from "./service/manage";
import { test } from "./service/test-mail";

export const mailAccounts = domain({
  operations: {
    get: handle(getMailAccount, get),
    put: handle(putMailAccount, put),
    remove: handle(deleteMailAccount, remove),
    test: handle(testMailAccount, test),
    ofSite: handle(getSiteMailAccount, get),
    putOfSite: handle(putSiteMailAccount, put),
    removeOfSite: handle(deleteSiteMailAccount, remove),
    testOfSite: handle(testSiteMailAccount, test),
  },
  relations: [
    {
      table: "mail_accounts",
      column: "user_id",
      topic: "branding",
      onDeletion: "delete",
      export: "mail_accounts",
    },
    { table: "mail_accounts", column: "site_id", of: "site", export: "mail_accounts" },
  ],
  exports,
  mails: ["mail_account_test"],
  audit: ["mail_account.saved", "mail_account.tested", "mail_account.removed"],
  errors: mailAccountErrors,
});
