import * as z from "zod";
import { fieldsOf, required, sixDigits } from "@/components/form/fields";
import { verifyEmail } from "@/server/domains/access/verification/contract";

const { email: address } = fieldsOf(verifyEmail).shape;

export const codeForm = { body: z.object({ email: required(address), code: sixDigits }) };
