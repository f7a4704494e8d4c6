import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { undoEmailChange } from "./contract";
import { emailChangeErrors } from "./errors";
import { exports } from "./export";
import { undo } from "./service/undo";

export const emailChange = domain({
  operations: { undo: handle(undoEmailChange, undo) },
  relations: [
    {
      table: "email_changes",
      column: "user_id",
      topic: "profile",
      onDeletion: "delete",
      export: "address_changes",
    },
  ],
  exports,
  mails: ["email_changed", "email_change_ended", "email_change_undone"],
  audit: ["profile.email_change_asked", "profile.email_changed", "profile.email_change_undone"],
  errors: emailChangeErrors,
  tokens: { dsc: "link that undoes a change of address" },
});
