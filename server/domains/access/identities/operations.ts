import { handle } from "@/server/core/contract";
import {
  connectIdentity,
  listIdentities,
  removeIdentity,
  signInWithApple,
  signInWithGoogle,
  startConnecting,
} from "./contract";
import { connect, list, remove, start } from "./service/manage";
import { apple, google } from "./service/sign-in";

export const identityOperations = {
  google: handle(signInWithGoogle, google),
  apple: handle(signInWithApple, apple),
  list: handle(listIdentities, list),
  startConnecting: handle(startConnecting, start),
  connect: handle(connectIdentity, connect),
  remove: handle(removeIdentity, remove),
};
