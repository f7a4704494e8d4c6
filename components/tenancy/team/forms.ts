import * as z from "zod";
import { withMandatory } from "@/components/accounts/consents/mandatory";
import { fieldsOf, required } from "@/components/form/fields";
import { PLATFORM_MODULES } from "@/server/domains/accounts/profile/policy";
import { acceptInvitation, inviteMember } from "@/server/domains/tenancy/team/contract";
import { KINDS } from "./kinds";

/* Rules of the forms here, loaded when somebody fills one in. */

const modules = z.record(z.enum(PLATFORM_MODULES), z.boolean());

/** The operation's site and modules as they are chosen. */
export const editForm = { body: z.object({ site_id: z.string().nullish(), modules }) };

/** A site is for agents only. */
export const inviteForm = {
  body: fieldsOf(inviteMember)
    .pick({ name: true, email: true })
    .extend({ kind: z.enum(KINDS), site_id: z.string().nullish(), modules })
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
