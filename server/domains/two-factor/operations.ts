import { handle } from "@/server/core/contract";
import {
  confirmTotp,
  enableEmailFactor,
  listTwoFactorMethods,
  removeFactor,
  renewRecoveryCodes,
  startTotp,
} from "./contract";
import { list } from "./service/factors";
import { renew } from "./service/recovery";
import { confirm, enableEmail, remove, start } from "./service/set-up";

export const twoFactorOperations = {
  methods: handle(listTwoFactorMethods, list),
  startTotp: handle(startTotp, start),
  confirmTotp: handle(confirmTotp, confirm),
  enableEmail: handle(enableEmailFactor, enableEmail),
  remove: handle(removeFactor, remove),
  renewRecoveryCodes: handle(renewRecoveryCodes, renew),
};
