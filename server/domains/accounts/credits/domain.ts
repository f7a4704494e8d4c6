import { domain } from "@/server/core/domain";
import { exports } from "./export";

export const credits = domain({
  relations: [
    { table: "credit_entries", column: "user_id", topic: "billing", onDeletion: "keep", export: "credits" },
    {
      table: "credit_entries",
      column: "actor_id",
      of: "others",
      export: { leftOut: "entries of other people's credits" },
    },
    { table: "usage_months", column: "user_id", topic: "usage", onDeletion: "delete", export: "usage" },
  ],
  exports,
});
