import * as z from "zod";
import { getBodyFields, sixDigitCode } from "@/components/form/fields";
import { confirmIdentity, recoverTwoFactor, resetPassword } from "@/server/domains/access/sign-in/contract";

/* Loaded on first use, to keep the schemas out of the first bundle. */

const { recovery_code, remember_device: remember } = getBodyFields(recoverTwoFactor).shape;
export const codeForm = { body: z.object({ code: sixDigitCode, remember }) };
export const recoveryForm = { body: z.object({ code: recovery_code, remember }) };

export const resetForm = { body: getBodyFields(resetPassword).pick({ password: true }) };

/** The operation's `value` is a code or a password. Its schema keeps both exactly as typed. */
const { value } = getBodyFields(confirmIdentity).shape;
export const codeProof = { body: z.object({ code: sixDigitCode }) };
export const recoveryProof = { body: z.object({ code: value }) };
export const passwordProof = { body: z.object({ password: value }) };
