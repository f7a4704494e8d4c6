import * as z from "zod";
import { fieldsOf, sixDigits } from "@/components/form/fields";
import { recoverTwoFactor } from "@/server/domains/access/sign-in/contract";

export const confirmForm = { body: z.object({ code: sixDigits }) };
/** Checked in the browser, which has the codes. */
export const checkForm = { body: z.object({ code: fieldsOf(recoverTwoFactor).shape.recovery_code }) };
