import { handle } from "@/server/core/contract";
import {
  connectIdentity,
  listIdentities,
  removeIdentity,
  signInWithApple,
  signInWithGoogle,
} from "./contract";
import { connect, list, remove } from "./service/manage";
import { apple, google } from "./service/sign-in";

export const identityOperations = {
  google: handle(signInWithGoogle, google),
  apple: handle(signInWithApple, apple),
  list: handle(listIdentities, list),
  connect: handle(connectIdentity, connect),
  remove: handle(removeIdentity, remove),
};
