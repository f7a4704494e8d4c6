import { domain, job } from "@/server/core/domain";
import { forgetAdditionsJob, mailAdditionsJob } from "./jobs";

/** Recent additions to accounts, for a mail to their owners. */
export const additions = domain({
  jobs: {
    mail_additions: job(mailAdditionsJob),
    forget_additions: job(forgetAdditionsJob, { cron: "52 3 * * *", fill: "1d" }),
  },
  relations: [
    {
      table: "account_additions",
      column: "user_id",
      topic: "activity",
      onDeletion: "delete",
      export: { leftOut: "names of the last three days that stand in other files" },
    },
  ],
  notices: ["account_additions"],
});
