import * as z from "zod";
import { getBodyFields, sixDigitCodeSchema } from "@/components/form/fields";
import { confirmIdentity, recoverTwoFactor, resetPassword } from "@/server/domains/access/sign-in/contract";

/* Loaded on first use, to keep the schemas out of the first bundle. */

const { recovery_code, remember_device: remember } = getBodyFields(recoverTwoFactor).shape;
export const signInCodeForm = { body: z.object({ code: sixDigitCodeSchema, remember }) };
export const signInRecoveryForm = { body: z.object({ code: recovery_code, remember }) };

export const resetPasswordForm = { body: getBodyFields(resetPassword).pick({ password: true }) };

/** The operation's `value` is a code or a password. Its schema keeps both exactly as typed. */
const { value: proofValue } = getBodyFields(confirmIdentity).shape;
export const codeProofForm = { body: z.object({ code: sixDigitCodeSchema }) };
export const recoveryProofForm = { body: z.object({ code: proofValue }) };
export const passwordProofForm = { body: z.object({ password: proofValue }) };
