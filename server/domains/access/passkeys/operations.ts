import { handle } from "@/server/core/contract";
import {
  deletePasskey,
  listPasskeys,
  passkeyLoginOptions,
  passkeyLoginVerify,
  passkeyRegisterOptions,
  passkeyRegisterVerify,
  proveByPasskey,
  renamePasskey,
} from "./contract";
import * as login from "./service/login";
import * as manage from "./service/manage";
import * as register from "./service/register";

export const passkeyOperations = {
  loginOptions: handle(passkeyLoginOptions, login.options),
  login: handle(passkeyLoginVerify, login.verify),
  prove: handle(proveByPasskey, login.prove),
  list: handle(listPasskeys, manage.list),
  registerOptions: handle(passkeyRegisterOptions, register.options),
  register: handle(passkeyRegisterVerify, register.verify),
  rename: handle(renamePasskey, manage.rename),
  remove: handle(deletePasskey, manage.remove),
};
