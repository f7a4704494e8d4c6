import * as z from "zod";
import { getBodyFields, sixDigitCode } from "@/components/form/fields";
import { recoverTwoFactor } from "@/server/domains/access/sign-in/contract";

export const confirmForm = { body: z.object({ code: sixDigitCode }) };
/** Checked in the browser, which has the codes. */
export const checkForm = { body: z.object({ code: getBodyFields(recoverTwoFactor).shape.recovery_code }) };
