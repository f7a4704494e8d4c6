import { domain, job } from "@/server/core/domain";
import { deleteOldAdditionsJob, mailAdditionsJob } from "./jobs";

export const additions = domain({
  jobs: {
    mail_additions: job(mailAdditionsJob),
    forget_additions: job(deleteOldAdditionsJob, { cron: "52 3 * * *", catchUp: "1d" }),
  },
  relations: [
    {
      table: "account_additions",
      column: "user_id",
      topic: "support",
      onDeletion: "delete",
      export: { omittedBecause: "names of the last three days, which other files contain" },
    },
  ],
  notices: ["account_additions"],
});
