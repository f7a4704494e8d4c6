import { handle } from "@/server/core/contract";
import { forgotPassword, login as loginOperation, resetPassword } from "./contract";
import { forgot } from "./service/forgot";
import { login } from "./service/login";
import { reset } from "./service/reset";

export const signInOperations = {
  login: handle(loginOperation, login),
  forgotPassword: handle(forgotPassword, forgot),
  resetPassword: handle(resetPassword, reset),
};
