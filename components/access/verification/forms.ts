import * as z from "zod";
import { fieldsOf, required, sixDigits } from "@/components/form/fields";
import { verifyEmail } from "@/server/domains/access/verification/contract";

/* Schemas of the forms here; loaded on first use. */

const { email: address } = fieldsOf(verifyEmail).shape;

/** The code and the address it was mailed to. */
export const codeForm = { body: z.object({ email: required(address), code: sixDigits }) };
