import * as z from "zod";
import { fieldsOf, sixDigits } from "@/components/form/fields";
import { confirmIdentity, recoverTwoFactor, resetPassword } from "@/server/domains/access/sign-in/contract";

/* Schemas of the forms here; loaded on first use. */

const { recovery_code, remember_device: remember } = fieldsOf(recoverTwoFactor).shape;
export const codeForm = { body: z.object({ code: sixDigits, remember }) };
export const recoveryForm = { body: z.object({ code: recovery_code, remember }) };

export const resetForm = { body: fieldsOf(resetPassword).pick({ password: true }) };

/** `value` per method: only a password is taken exactly as typed. */
const { value } = fieldsOf(confirmIdentity).shape;
export const codeProof = { body: z.object({ code: sixDigits }) };
export const recoveryProof = { body: z.object({ code: value }) };
export const passwordProof = { body: z.object({ password: value }) };
