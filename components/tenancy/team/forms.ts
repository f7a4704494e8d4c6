import * as z from "zod";
import { withMandatoryConsents } from "@/components/accounts/consents/with-mandatory-consents";
import { getBodyFields, makeRequired } from "@/components/form/fields";
import { acceptInvitation, inviteMember } from "@/server/domains/tenancy/team/contract";
import { MEMBER_KINDS } from "./member-kinds";

export const memberSiteForm = { body: z.object({ site_id: z.string() }) };

export const inviteForm = {
  body: getBodyFields(inviteMember)
    .pick({ name: true, email: true })
    .extend({ kind: z.enum(MEMBER_KINDS), site_id: z.string().nullish() })
    .refine(({ kind, site_id }) => kind !== "agent" || Boolean(site_id), {
      path: ["site_id"],
      error: "validation.required",
      // Runs even when another field is invalid.
      when: () => true,
    }),
};

const acceptFields = getBodyFields(acceptInvitation);

export const acceptForm = {
  body: withMandatoryConsents(
    acceptFields
      .pick({ password: true, consents: true })
      .extend({ name: makeRequired(acceptFields.shape.name) }),
  ),
};
