import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { confirmEmailChange, getPassword, putProfile, putUser, undoEmailChange } from "./contract";
import { accountErrors } from "./errors";
import { exports } from "./export";
import { confirm, undo } from "./service/email-links";
import { state } from "./service/password";
import { changeProfile, changeUser } from "./service/update";

export const account = domain({
  operations: {
    updateUser: handle(putUser, changeUser),
    updateProfile: handle(putProfile, changeProfile),
    getPassword: handle(getPassword, state),
    undoEmailChange: handle(undoEmailChange, undo),
    confirmEmailChange: handle(confirmEmailChange, confirm),
  },
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
  mails: ["email_changed", "email_change_confirm", "email_change_undone"],
  audit: [
    "password.changed",
    "profile.changed",
    "profile.email_change_asked",
    "profile.email_changed",
    "profile.email_change_undone",
  ],
  errors: accountErrors,
  tokens: { dsc: "link that undoes or confirms a change of address" },
});
