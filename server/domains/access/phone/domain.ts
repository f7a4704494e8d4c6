import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { twilioParty } from "@/server/infrastructure/sms/party";
import { confirmPhone, getPhone, sendPhoneCode } from "./contract";
import { phoneErrors } from "./errors";
import { confirm, get, sendCode } from "./service";

export const phone = domain({
  operations: {
    get: handle(getPhone, get),
    sendCode: handle(sendPhoneCode, sendCode),
    confirm: handle(confirmPhone, confirm),
  },
  parties: { twilio: twilioParty },
  relations: [
    {
      table: "phone_codes",
      column: "user_id",
      topic: "profile",
      onDeletion: "delete",
      export: { leftOut: "the digest of a code that lives minutes" },
    },
  ],
  audit: ["profile.phone_verified"],
  errors: phoneErrors,
});
