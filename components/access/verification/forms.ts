import * as z from "zod";
import { getBodyFields, makeRequired, sixDigitCodeSchema } from "@/components/form/fields";
import { verifyEmail } from "@/server/domains/access/verification/contract";

const { email: emailSchema } = getBodyFields(verifyEmail).shape;

export const verificationCodeForm = {
  body: z.object({ email: makeRequired(emailSchema), code: sixDigitCodeSchema }),
};
