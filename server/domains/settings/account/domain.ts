import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { getPassword, putProfile, putUser } from "./contract";
import { accountErrors } from "./errors";
import { state } from "./service/password";
import { changeProfile, changeUser } from "./service/update";

export const account = domain({
  operations: {
    updateUser: handle(putUser, changeUser),
    updateProfile: handle(putProfile, changeProfile),
    getPassword: handle(getPassword, state),
  },
  audit: ["password.changed", "profile.changed"],
  errors: accountErrors,
});
