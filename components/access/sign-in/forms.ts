import * as z from "zod";
import { fieldsOf, sixDigits } from "@/components/form/fields";
import { confirmIdentity, recoverTwoFactor, resetPassword } from "@/server/domains/access/sign-in/contract";

/* Rules of the forms here, loaded when somebody fills one in. */

const { recovery_code, remember_device: remember } = fieldsOf(recoverTwoFactor).shape;
export const codeForm = { body: z.object({ code: sixDigits, remember }) };
export const recoveryForm = { body: z.object({ code: recovery_code, remember }) };

/** The half of the operation that a person types; link and repetition come from us. */
export const resetForm = { body: fieldsOf(resetPassword).pick({ password: true }) };

/** The operation's one value, by what it is: a password alone is taken as it is typed. */
const { value } = fieldsOf(confirmIdentity).shape;
export const codeProof = { body: z.object({ code: sixDigits }) };
export const recoveryProof = { body: z.object({ code: value }) };
export const passwordProof = { body: z.object({ password: value }) };
