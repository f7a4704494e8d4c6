import * as z from "zod";
import { withMandatory } from "@/components/accounts/consents/mandatory";
import { fieldsOf, required } from "@/components/form/fields";
import { acceptInvitation, inviteMember } from "@/server/domains/tenancy/team/contract";
import { KINDS } from "./kinds";

/* Rules of the forms here, loaded when somebody fills one in. */

/** The operation's site as it is chosen. */
export const editForm = { body: z.object({ site_id: z.string() }) };

/** A site is for agents only. */
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

/** The half of the operation that a person types; the link, the repetition and the zone come from us. */
export const acceptForm = {
  body: withMandatory(
    fields.pick({ password: true, consents: true }).extend({ name: required(fields.shape.name) }),
  ),
};
