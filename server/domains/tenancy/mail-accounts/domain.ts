import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { MAIL_PASSWORD_SEAL_PURPOSE } from "@/server/infrastructure/mail/smtp";
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
import { archiveReaders } from "./export";
import { deleteOldMailFailuresJob } from "./jobs";
import { readMailAccount, removeMailAccount, saveMailAccount } from "./service/manage";
import { runMailAccountTest } from "./service/test-mail";

export const mailAccounts = domain({
  operations: {
    get: createHandler(getMailAccount, readMailAccount),
    save: createHandler(putMailAccount, saveMailAccount),
    remove: createHandler(deleteMailAccount, removeMailAccount),
    test: createHandler(testMailAccount, runMailAccountTest),
    getOfSite: createHandler(getSiteMailAccount, readMailAccount),
    saveOfSite: createHandler(putSiteMailAccount, saveMailAccount),
    removeOfSite: createHandler(deleteSiteMailAccount, removeMailAccount),
    testOfSite: createHandler(testSiteMailAccount, runMailAccountTest),
  },
  jobs: {
    forget_mail_failures: job(deleteOldMailFailuresJob, { cron: "44 * * * *", catchUp: "1d" }),
  },
  sealedColumns: [{ table: "mail_accounts", column: "password_sealed", purpose: MAIL_PASSWORD_SEAL_PURPOSE }],
  relations: [
    {
      table: "mail_accounts",
      column: "user_id",
      topic: "branding",
      onDeletion: "delete",
      export: "mail_accounts",
    },
    { table: "mail_accounts", column: "site_id", rowsBelongTo: "site", export: "mail_accounts" },
  ],
  exports: archiveReaders,
  mails: ["mail_account_test"],
  audit: ["mail_account.saved", "mail_account.tested", "mail_account.removed"],
});
