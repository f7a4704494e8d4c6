import * as z from "zod";
import { operation } from "@/server/core/contract";
import {
  count,
  Done,
  email,
  expiry,
  flag,
  id,
  mapOf,
  message,
  password,
  pathId,
  personName,
  phone,
  recordId,
  samePasswords,
  success,
  timestamp,
  timezone,
  typedPassword,
} from "@/server/core/schema";
import { EXPECTED_TEXT } from "@/server/core/stale";
import { SecondFactorDue, SignedIn } from "@/server/domains/access/sign-in/contract";
import { Consents, MANDATORY_GIVEN } from "@/server/domains/accounts/consents/contract";
import { PLATFORM_MODULES, User, UserSite } from "@/server/domains/accounts/profile/contract";
import { INVITATION_DAYS } from "./policy";

export { INVITATION_DAYS } from "./policy";

/** Members and invitations that a list carries, each. */
export const LIST_MAX = 500;

const modules = z
  .array(z.enum(PLATFORM_MODULES))
  .max(PLATFORM_MODULES.length)
  .meta({ example: ["saas"] });
const allowedModules = z.array(z.string()).meta({ example: ["saas"] });
const TeamSite = UserSite.pick({ id: true, name: true, domain: true }).meta({ id: "TeamSite" });

export const Member = z
  .object({
    id: recordId,
    name: User.shape.name,
    email: User.shape.email,
    is_active: z.boolean(),
    /** The owner of the team cannot reactivate the member. */
    is_held: z.boolean().meta({ example: false }),
    /** An agent works in the one site below; a sub-user has an account with sites of its own. */
    is_agent_only: z.boolean(),
    site: TeamSite.nullable(),
    /** null: all modules. */
    allowed_modules: allowedModules.nullable(),
    two_factor: z.boolean(),
    last_seen_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: "Member" });
export type Member = z.infer<typeof Member>;

export const Invitation = z
  .object({
    id: recordId,
    name: User.shape.name,
    email: User.shape.email,
    site: TeamSite.nullable(),
    allowed_modules: allowedModules.nullable(),
    created_at: timestamp,
    expires_at: expiry,
    expired: z.boolean().meta({ example: false }),
  })
  .meta({ id: "Invitation" });
export type Invitation = z.infer<typeof Invitation>;

export const getTeam = operation({
  id: "getTeam",
  method: "GET",
  path: "/api/team",
  tag: "Team",
  summary: "List the caller's team and pending invitations",
  description: `At most ${LIST_MAX} of each, the newest first. \`data\` repeats \`members\`. Agents have no team.`,
  access: "token",
  status: 200,
  output: z.object({
    success,
    members: z.array(Member),
    data: z.array(Member),
    count,
    invitations: z.array(Invitation),
  }),
});

export const getTeamOwner = operation({
  id: "getTeamOwner",
  method: "GET",
  path: "/api/team/owner",
  tag: "Team",
  summary: "Get whose team the caller is a member of",
  description: "Null for an account of its own.",
  access: "token",
  status: 200,
  output: z.object({
    success,
    owner: z.object({ name: User.shape.name, email: User.shape.email }).nullable(),
  }),
});

export const inviteMember = operation({
  id: "inviteMember",
  method: "POST",
  path: "/api/team/invitations",
  tag: "Team",
  summary: "Invite a member by e-mail",
  description:
    "With `site_id` the member becomes an agent of that site of the caller or of a sub-user, without it a sub-user. " +
    `\`allowed_modules\` null means all that the caller has. The link works once, for ${INVITATION_DAYS} days. The caller needs a verified ` +
    "address; sub-users can invite agents only, and agents nobody.",
  access: "token",
  ability: "*",
  limit: { points: 20, per: 3600, by: "account", durable: true },
  idempotent: true,
  body: z.object({
    name: personName,
    email,
    site_id: id.nullish(),
    allowed_modules: modules.nullish(),
  }),
  status: 201,
  output: z.object({ success, message, invitation: Invitation }),
  errors: ["email_needs_verification", "sign_up_refused"],
});

export const resendInvitation = operation({
  id: "resendInvitation",
  method: "POST",
  path: "/api/team/invitations/{id}/resend",
  tag: "Team",
  summary: "Send an invitation again, with a new link",
  description: "The previous link stops working.",
  access: "token",
  ability: "*",
  limit: { points: 20, per: 3600, by: "account", durable: true },
  record: "Invitation",
  params: z.object({ id: pathId }),
  status: 200,
  output: z.object({ success, message, invitation: Invitation }),
  errors: ["record_not_found"],
});

export const cancelInvitation = operation({
  id: "cancelInvitation",
  method: "DELETE",
  path: "/api/team/invitations/{id}",
  tag: "Team",
  summary: "Cancel an invitation",
  access: "token",
  ability: "*",
  record: "Invitation",
  params: z.object({ id: pathId }),
  status: 200,
  output: Done,
  errors: ["record_not_found"],
});

export const updateMember = operation({
  id: "updateMember",
  method: "PUT",
  path: "/api/team/members/{id}",
  tag: "Team",
  summary: "Change a member's modules, an agent's site, or whether the account is active",
  description:
    "`allowed_modules` null gives the member all modules of the caller. Deactivating signs the member out and cancels their " +
    `invitations; 422 to activate a member whom an administrator or reseller deactivated. \`site_id\` is for agents. ${EXPECTED_TEXT}`,
  access: "token",
  ability: "*",
  record: "User",
  params: z.object({ id: pathId }),
  body: z.object({
    allowed_modules: modules.nullish(),
    is_active: flag.nullish(),
    site_id: id.nullish(),
    expected: z.object({ allowed_modules: allowedModules.nullish(), site_id: id.nullish() }).optional(),
  }),
  status: 200,
  output: z.object({ success, message, member: Member }),
  errors: ["record_not_found", "stale", "member_held"],
});

const token = z.string().max(255).meta({ example: "dsj_…" });

export const getInvitation = operation({
  id: "getInvitation",
  method: "GET",
  path: "/api/auth/invitation",
  tag: "Team",
  summary: "Get a mailed invitation",
  description: "Changes nothing, however often it is called.",
  access: "public",
  limit: { points: 30, per: 60, by: "ip" },
  query: z.object({ token }),
  status: 200,
  output: z.object({
    success,
    invitation: z.object({
      name: User.shape.name,
      email: User.shape.email,
      inviter: z.string().meta({ example: "Mert Demir" }),
      site: TeamSite.pick({ name: true, domain: true }).nullable(),
      expires_at: expiry,
      /** What the account becomes. */
      kind: z.enum(["agent", "sub_user", "customer"]).meta({ example: "agent" }),
    }),
  }),
  errors: ["invitation_invalid"],
});

const AcceptInput = z
  .object({
    token,
    /** As the invitation says when it is missing. */
    name: personName.nullish(),
    phone: phone.nullish(),
    password,
    password_confirmation: typedPassword,
    consents: mapOf(Consents).nullish(),
    timezone: timezone.nullish(),
  })
  .refine(...samePasswords("password", "password_confirmation"))
  .meta({
    example: {
      token: "dsj_…",
      password: "a-long-passphrase",
      password_confirmation: "a-long-passphrase",
      consents: MANDATORY_GIVEN,
    },
  });

export const acceptInvitation = operation({
  id: "acceptInvitation",
  method: "POST",
  path: "/api/auth/accept-invitation",
  tag: "Team",
  summary: "Accept an invitation and sign in",
  description:
    "The invited address counts as verified. The mandatory consents are those of a registration, and the checks those of a " +
    "login. The account starts without credits.",
  access: "public",
  limit: { points: 10, per: 900, by: "ip", durable: true },
  body: AcceptInput,
  status: 201,
  output: z.union([SignedIn, SecondFactorDue]),
  errors: [
    "invitation_invalid",
    "invitation_address_taken",
    "consents_missing",
    "email_unverified",
    "account_disabled",
    "employer_disabled",
    "portal_locked",
  ],
});
