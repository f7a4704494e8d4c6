import { domain, job } from "@/server/core/domain";
import { computeSearchTextsJob } from "./jobs";

export const users = domain({
  jobs: {
    fold_users: job(computeSearchTextsJob, { cron: "*/5 * * * *" }),
  },
  relations: [
    { table: "users", column: "parent_user_id", topic: "members", onDeletion: "detach", export: "team" },
    {
      table: "users",
      column: "reseller_id",
      topic: "customers",
      onDeletion: "detach",
      export: {
        omittedBecause: "a reseller's customers are people of their own, who ask for their own data",
      },
    },
    { table: "users", column: "assigned_site_id", rowsBelongTo: "site", export: "team" },
  ],
  notices: ["password_changed"],
  audit: ["account.registered", "profile.email_change_ended"],
});
