import * as z from "zod";
import { fieldsOf, requiredField, sixDigits } from "@/components/form/fields";
import { verifyEmail } from "@/server/domains/access/verification/contract";

const { email: address } = fieldsOf(verifyEmail).shape;

export const codeForm = { body: z.object({ email: requiredField(address), code: sixDigits }) };
