import * as z from "zod";
import { fieldsOf, sixDigits } from "@/components/form/fields";
import { recoverTwoFactor } from "@/server/domains/access/sign-in/contract";

/* Rules of the forms here, loaded when somebody fills one in. */

export const confirmForm = { body: z.object({ code: sixDigits }) };
/** As at a sign-in, but nothing is sent: the page has the codes. */
export const checkForm = { body: z.object({ code: fieldsOf(recoverTwoFactor).shape.recovery_code }) };
