import { domain } from "@/server/core/domain";
import { exports } from "./export";

export const audit = domain({
  relations: [
    {
      table: "audit_events",
      column: "actor_id",
      topic: "activity",
      onDeletion: "anonymise",
      export: "activity",
    },
  ],
  exports,
});
