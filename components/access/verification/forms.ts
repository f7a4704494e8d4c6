import * as z from "zod";
import { fieldsOf, required, sixDigits } from "@/components/form/fields";
import { verifyEmail } from "@/server/domains/access/verification/contract";

/* Rules of the forms here, loaded when somebody fills one in. */

const { email: address } = fieldsOf(verifyEmail).shape;

/** The half of the operation that a person types: the mail's code and the address it went to. */
export const codeForm = { body: z.object({ email: required(address), code: sixDigits }) };
