import * as z from "zod";
import { withMandatory } from "@/components/accounts/consents/mandatory";
import { fieldsOf, requiredField } from "@/components/form/fields";
import { acceptInvitation, inviteMember } from "@/server/domains/tenancy/team/contract";
import { KINDS } from "./kinds";

export const editForm = { body: z.object({ site_id: z.string() }) };

export const inviteForm = {
  body: fieldsOf(inviteMember)
    .pick({ name: true, email: true })
    .extend({ kind: z.enum(KINDS), site_id: z.string().nullish() })
    .refine(({ kind, site_id }) => kind !== "agent" || Boolean(site_id), {
      path: ["site_id"],
      error: "validation.required",
      when: () => true,
    }),
};

const fields = fieldsOf(acceptInvitation);

/** The typed fields of the operation; token, confirmation and time zone are added on submit. */
export const acceptForm = {
  body: withMandatory(
    fields.pick({ password: true, consents: true }).extend({ name: requiredField(fields.shape.name) }),
  ),
};
