import { handle } from "@/server/core/contract";
import {
  confirmSms,
  confirmTotp,
  enableEmailFactor,
  listTwoFactorMethods,
  removeFactor,
  renewRecoveryCodes,
  startSms,
  startTotp,
} from "./contract";
import { list } from "./service/factors";
import { renew } from "./service/recovery";
import { confirm, enableEmail, remove, start } from "./service/set-up";
import * as sms from "./service/sms";

export const twoFactorOperations = {
  methods: handle(listTwoFactorMethods, list),
  startTotp: handle(startTotp, start),
  confirmTotp: handle(confirmTotp, confirm),
  enableEmail: handle(enableEmailFactor, enableEmail),
  startSms: handle(startSms, sms.start),
  confirmSms: handle(confirmSms, sms.confirm),
  remove: handle(removeFactor, remove),
  renewRecoveryCodes: handle(renewRecoveryCodes, renew),
};
