import * as z from "zod";
import { MailAccountInput } from "@/server/domains/tenancy/mail-accounts/contract";

/** The contract's rules, with the port typed as text and `encryption` in place of `secure`. */
export const mailAccountForm = {
  body: MailAccountInput.omit({ secure: true, expected: true }).extend({
    port: z.coerce.number().pipe(MailAccountInput.shape.port),
    encryption: z.enum(["starttls", "tls"]),
  }),
};
