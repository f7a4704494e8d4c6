import * as z from "zod";
import { getBodyFields, makeRequired, sixDigitCode } from "@/components/form/fields";
import { verifyEmail } from "@/server/domains/access/verification/contract";

const { email: address } = getBodyFields(verifyEmail).shape;

export const codeForm = { body: z.object({ email: makeRequired(address), code: sixDigitCode }) };
