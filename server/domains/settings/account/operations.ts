import { handle } from "@/server/core/contract";
import { confirmEmailChange, getPassword, putProfile, putUser, undoEmailChange } from "./contract";
import { confirm, undo } from "./service/email-links";
import { state } from "./service/password";
import { changeProfile, changeUser } from "./service/update";

export const accountOperations = {
  putUser: handle(putUser, changeUser),
  update: handle(putProfile, changeProfile),
  password: handle(getPassword, state),
  undoEmailChange: handle(undoEmailChange, undo),
  confirmEmailChange: handle(confirmEmailChange, confirm),
};
