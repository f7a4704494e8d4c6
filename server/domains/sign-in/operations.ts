import { handle } from "@/server/core/contract";
import { login as loginOperation } from "./contract";
import { login } from "./service/login";

export const signInOperations = {
  login: handle(loginOperation, login),
};
