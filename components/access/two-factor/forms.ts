import * as z from "zod";
import { getBodyFields, sixDigitCode } from "@/components/form/fields";
import { recoverTwoFactor } from "@/server/domains/access/sign-in/contract";

export const confirmFactorForm = { body: z.object({ code: sixDigitCode }) };
/** The dialog compares the typed code with the codes it has just shown; nothing is sent. */
export const recoveryCodeCheckForm = {
  body: z.object({ code: getBodyFields(recoverTwoFactor).shape.recovery_code }),
};
