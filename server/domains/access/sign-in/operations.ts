import { handle } from "@/server/core/contract";
import {
  challengeTwoFactor,
  confirmIdentity,
  explainGates,
  forgotPassword,
  login as loginOperation,
  recoverTwoFactor,
  resetPassword,
  sendTwoFactorCode,
  startIdentityCheck,
} from "./contract";
import { explain } from "./service/explain";
import { forgot } from "./service/forgot";
import { confirm, startCheck } from "./service/identity";
import { login } from "./service/login";
import { reset } from "./service/reset";
import { challenge, recover, sendCode } from "./service/second-factor";

export const signInOperations = {
  login: handle(loginOperation, login),
  sendCode: handle(sendTwoFactorCode, sendCode),
  challenge: handle(challengeTwoFactor, challenge),
  recover: handle(recoverTwoFactor, recover),
  forgotPassword: handle(forgotPassword, forgot),
  resetPassword: handle(resetPassword, reset),
  startIdentityCheck: handle(startIdentityCheck, startCheck),
  explainGates: handle(explainGates, explain),
  confirmIdentity: handle(confirmIdentity, confirm),
};
