import * as z from "zod";
import { fieldsOf, requiredField } from "@/components/form/fields";
import { putProfile } from "@/server/domains/settings/account/contract";

/* Form rules, loaded on first use. */

const fields = fieldsOf(putProfile);

/** The form requires name and e-mail address, which are optional in the operation. */
export const detailsForm = {
  body: fields
    .pick({ phone: true, timezone: true })
    .extend({ name: requiredField(fields.shape.name), email: requiredField(fields.shape.email) }),
};

/** Without a password, none has to be entered. */
export function passwordForm(hasPassword: boolean) {
  const { current_password } = fields.shape;
  const body = z.object({
    current_password: hasPassword ? requiredField(current_password) : current_password,
    new_password: requiredField(fields.shape.new_password),
  });
  return { body };
}
