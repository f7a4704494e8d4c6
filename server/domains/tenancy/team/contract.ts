import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { listOutput } from "@/server/core/list";
import {
  byId,
  createdAt,
  Done,
  email,
  expiry,
  flag,
  id,
  mapSchema,
  password,
  personName,
  phone,
  recordId,
  samePasswords,
  timestamp,
  timezone,
  typedPassword,
} from "@/server/core/schema";
import { EXPECTED_DESCRIPTION, expectedField } from "@/server/core/stale";
import { GATE_ERRORS, SecondFactorDue, SignedIn } from "@/server/domains/access/sign-in/contract";
import { Consents, MANDATORY_CONSENTS_EXAMPLE } from "@/server/domains/accounts/consents/contract";
import { PLATFORM_MODULES, User, UserSite } from "@/server/domains/accounts/profile/contract";
import { INVITATION_DAYS } from "./policy";

export { INVITATION_DAYS } from "./policy";

export const TEAM_LIST_MAX = 500;

const modules = z
  .array(z.enum(PLATFORM_MODULES))
  .max(PLATFORM_MODULES.length)
  .meta({ example: ["saas"] });
const allowedModules = z.array(z.string()).meta({ example: ["saas"] });
const TeamSite = UserSite.pick({ id: true, name: true, domain: true }).meta({
  id: "TeamSite",
  description: "Site that agents can work at.",
});

export const Member = f.namedObject("Member", "Member of the team.", {
  id: recordId,
  name: User.shape.name,
  email: User.shape.email,
  is_active: f.boolean("True when the member can sign in."),
  is_held: f.boolean(
    "True when a reseller or an administrator deactivated the member. The team's owner cannot activate " +
      "such a member.",
    false,
  ),
  is_agent_only: f.boolean(
    "True for an agent, who works at one site; false for a sub-user, who has sites of their own.",
  ),
  site: f.nullable(TeamSite, "Site an agent works at; null for a sub-user or if the site was deleted."),
  allowed_modules: f.nullable(
    allowedModules,
    "Modules that the member can use; null for all modules of the team's owner.",
  ),
  two_factor: f.boolean("True when the member has a second factor."),
  last_seen_at: f.nullable(timestamp, "When the member last used the panel or API; null if never."),
  created_at: createdAt,
});
export type Member = z.infer<typeof Member>;

export const Invitation = f.namedObject("Invitation", "Pending or expired invitation to the team.", {
  id: recordId,
  name: User.shape.name,
  email: User.shape.email,
  site: f.nullable(TeamSite, "Site an agent will work at; null for a sub-user."),
  allowed_modules: f.nullable(
    allowedModules,
    "Modules that the member will have; null for all modules of the inviter.",
  ),
  created_at: createdAt,
  expires_at: expiry.meta({ example: "2027-11-27T09:30:00.000000Z" }),
  expired: f.boolean("True when the link has expired. The invitation can be sent again.", false),
});
export type Invitation = z.infer<typeof Invitation>;

export const getTeam = operation({
  id: "getTeam",
  method: "GET",
  path: "/api/team",
  tag: "Team",
  summary: "List the caller's team and its invitations",
  description: `At most ${TEAM_LIST_MAX} members and ${TEAM_LIST_MAX} invitations, newest first. \`data\` repeats \`members\`. 403 for agents.`,
  access: "token",
  output: listOutput("members", Member, "Members of the team, newest first.", {
    invitations: f.list(Invitation, "Pending and expired invitations, newest first."),
  }),
});

export const getTeamOwner = operation({
  id: "getTeamOwner",
  method: "GET",
  path: "/api/team/owner",
  tag: "Team",
  summary: "Get the owner of the caller's team",
  description: "`owner` is null if the caller is not in the team of another account.",
  access: "token",
  output: f.success({
    owner: f.nullable(
      z.object({ name: User.shape.name, email: User.shape.email }),
      "Owner of the team; null if the caller is not in a team.",
    ),
  }),
});

const CHANGE_OPERATION = { tag: "Team", access: "token", ability: "*" } as const;

export const inviteMember = operation({
  id: "inviteMember",
  method: "POST",
  path: "/api/team/invitations",
  ...CHANGE_OPERATION,
  summary: "Invite a team member",
  description: `Emails a link that works once, for ${INVITATION_DAYS} days. With \`site_id\`, the member becomes an agent of that site, which must belong to the caller or a sub-user. With no \`site_id\`, the member becomes a sub-user. The caller needs a verified address (\`email_needs_verification\`). Sub-users can only invite agents, and agents cannot invite; otherwise 403. 422 if the address has an account or a pending invitation of the caller. 422 also if \`allowed_modules\` has a module that the caller does not have. 429 after three invitation emails to an address within an hour.`,
  limit: { points: 20, per: 3600, by: "account", durable: true },
  idempotent: true,
  body: z
    .object({
      name: personName.meta({ description: "Name of the member." }),
      email,
      site_id: f.nullish(id, "ID of the site an agent works at; null for a sub-user."),
      allowed_modules: f.nullish(
        modules,
        "Modules that the member will have; null for all modules of the caller.",
      ),
    })
    .meta({
      example: { name: "Ayşe Kaya", email: "ayse@example.com", site_id: 7, allowed_modules: ["saas"] },
    }),
  labels: { name: "full_name" },
  status: 201,
  output: f.changeOutput({ invitation: Invitation }),
  errors: ["email_needs_verification", "sign_up_refused"],
});

export const resendInvitation = operation({
  id: "resendInvitation",
  method: "POST",
  path: "/api/team/invitations/{id}/resend",
  ...CHANGE_OPERATION,
  summary: "Send a team invitation again",
  description:
    "Emails a new link. The previous link stops working. Also works for an expired invitation. 429 after " +
    "three invitation emails to an address within an hour.",
  limit: { points: 20, per: 3600, by: "account", durable: true },
  ...byId("Invitation"),
  output: f.changeOutput({ invitation: Invitation }),
});

export const cancelInvitation = operation({
  id: "cancelInvitation",
  method: "DELETE",
  path: "/api/team/invitations/{id}",
  ...CHANGE_OPERATION,
  summary: "Cancel a team invitation",
  ...byId("Invitation"),
  output: Done,
});

export const updateMember = operation({
  id: "updateMember",
  method: "PUT",
  path: "/api/team/members/{id}",
  ...CHANGE_OPERATION,
  summary: "Change a team member",
  description: `Changes the modules, an agent's site, or whether the member is active. Deactivating signs the member out, ends the member's API keys and cancels the member's invitations. 422 \`member_held\` if the call activates a member that an administrator or reseller deactivated. ${EXPECTED_DESCRIPTION}`,
  ...byId("User"),
  body: z.object({
    allowed_modules: f.nullish(
      modules,
      "Modules that the member can use; null for all modules of the caller. When omitted, they stay " +
        "unchanged.",
    ),
    is_active: f.nullish(
      flag,
      "True to activate the member, false to deactivate the member. When null or omitted, nothing changes.",
    ),
    site_id: f.nullish(
      id,
      "ID of the site where an agent works. When null or omitted, it stays unchanged. 422 for sub-users.",
    ),
    expected: expectedField({
      allowed_modules: f.nullish(allowedModules, "Modules the caller last saw."),
      site_id: f.nullish(id, "Site the caller last saw."),
    }),
  }),
  output: f.changeOutput({ member: Member }),
  errors: ["stale", "member_held"],
});

const token = z.string().max(255).meta({
  description: "Token from the invitation's link: `dsj_…` for a team, `dsb_…` for a reseller's customer.",
  example: "dsj_…",
});

export const getInvitation = operation({
  id: "getInvitation",
  method: "GET",
  path: "/api/auth/invitation",
  tag: "Team",
  summary: "Get an invitation",
  description:
    "Needs only the token. Changes nothing, so the call can be repeated. 400 if the token is invalid, used " +
    "or expired.",
  access: "public",
  limit: { points: 30, per: 60, by: "ip" },
  query: z.object({ token }),
  output: f.success({
    invitation: z
      .object({
        name: User.shape.name,
        email: User.shape.email,
        inviter: f.text("Name of the inviting account.", "Mert Demir"),
        site: f.nullable(
          TeamSite.pick({ name: true, domain: true }),
          "Site an agent will work at; null for others.",
        ),
        expires_at: expiry,
        kind: f.oneOf(
          ["agent", "sub_user", "customer"],
          "`agent` and `sub_user` join the inviter's team, `customer` becomes a reseller's customer.",
          "agent",
        ),
      })
      .meta({ description: "The invitation." }),
  }),
  errors: ["invitation_invalid"],
});

const AcceptInput = z
  .object({
    token,
    name: f.nullish(personName, "Name of the person. The default is the name in the invitation."),
    phone: f.nullish(
      phone,
      "Phone number, preferably in E.164 format. When null or omitted, a customer gets the number in the " +
        "invitation and a team member has no number.",
    ),
    password,
    password_confirmation: typedPassword.meta({ description: "Must equal `password`." }),
    consents: f.nullish(
      mapSchema(Consents),
      "Consents by key, true for those that the person gives. The mandatory consents must be true.",
    ),
    timezone: f.nullish(timezone, "IANA time zone, such as `Europe/Istanbul`; null if not set."),
  })
  .refine(...samePasswords("password", "password_confirmation"))
  .meta({
    example: {
      token: "dsj_…",
      password: "a-long-passphrase",
      password_confirmation: "a-long-passphrase",
      consents: MANDATORY_CONSENTS_EXAMPLE,
    },
  });

export const acceptInvitation = operation({
  id: "acceptInvitation",
  method: "POST",
  path: "/api/auth/accept-invitation",
  tag: "Team",
  summary: "Accept an invitation and sign in",
  description:
    "Accepts an invitation to a team or to become a reseller's customer. Creates the account and signs it " +
    "in. The invited address counts as verified. Team members start with no credits. The response can ask " +
    "for a second factor, as at sign-in. 400 if the token is invalid, used or expired. 422 if the address " +
    "has an account (`invitation_address_taken`) or a mandatory consent is missing (`consents_missing`).",
  access: "public",
  limit: { points: 10, per: 900, by: "ip", durable: true },
  body: AcceptInput,
  labels: { name: "full_name" },
  status: 201,
  output: z.union([SignedIn, SecondFactorDue]),
  errors: ["invitation_invalid", "invitation_address_taken", "consents_missing", ...GATE_ERRORS],
});
