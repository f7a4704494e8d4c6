import { handle } from "@/server/core/contract";
import { getAuthUser, getUser } from "./contract";
import * as profile from "./service";

export const profileOperations = {
  me: handle(getAuthUser, profile.authUser),
  get: handle(getUser, profile.user),
};
