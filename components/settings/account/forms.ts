import * as z from "zod";
import { getBodyFields, makeRequired } from "@/components/form/fields";
import { putProfile } from "@/server/domains/settings/account/contract";

const fields = getBodyFields(putProfile);

/** The form requires name and email address, which are optional in the operation. */
export const detailsForm = {
  body: fields
    .pick({ phone: true, timezone: true })
    .extend({ name: makeRequired(fields.shape.name), email: makeRequired(fields.shape.email) }),
  labels: putProfile.labels,
};

export function buildPasswordForm(hasPassword: boolean) {
  const { current_password } = fields.shape;
  const body = z.object({
    current_password: hasPassword ? makeRequired(current_password) : current_password,
    new_password: makeRequired(fields.shape.new_password),
  });
  return { body };
}
