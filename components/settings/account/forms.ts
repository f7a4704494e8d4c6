import * as z from "zod";
import { fieldsOf, required } from "@/components/form/fields";
import { putProfile } from "@/server/domains/settings/account/contract";

/* Rules of the forms here, loaded when somebody fills one in. */

const fields = fieldsOf(putProfile);

/** What a person changes here; the operation takes each part alone, the form wants name and address. */
export const detailsForm = {
  body: fields
    .pick({ phone: true, timezone: true })
    .extend({ name: required(fields.shape.name), email: required(fields.shape.email) }),
};

/** An account that signs in by other methods has no current password yet. */
export function passwordForm(hasPassword: boolean) {
  const { current_password } = fields.shape;
  const body = z.object({
    current_password: hasPassword ? required(current_password) : current_password,
    new_password: required(fields.shape.new_password),
  });
  return { body };
}
