import * as z from "zod";
import { getBodyFields, sixDigitCodeSchema } from "@/components/form/fields";
import { recoverTwoFactor } from "@/server/domains/access/sign-in/contract";

export const sixDigitCodeForm = { body: z.object({ code: sixDigitCodeSchema }) };
/** The dialog compares the typed code with the codes it has just shown; nothing is sent. */
export const recoveryCodeCheckForm = {
  body: z.object({ code: getBodyFields(recoverTwoFactor).shape.recovery_code }),
};
