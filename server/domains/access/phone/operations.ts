import { handle } from "@/server/core/contract";
import { confirmPhone, getPhone, sendPhoneCode } from "./contract";
import { confirm, read, sendCode } from "./service";

export const phoneOperations = {
  read: handle(getPhone, read),
  sendCode: handle(sendPhoneCode, sendCode),
  confirm: handle(confirmPhone, confirm),
};
