import * as z from "zod";
import { operation } from "@/server/core/contract";
import { listOutput } from "@/server/core/list";
import {
  createdAt,
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
const TeamSite = UserSite.pick({ id: true, name: true, domain: true }).meta({
  id: "TeamSite",
  description: "A site that agents can work at.",
});

export const Member = z
  .object({
    id: recordId,
    name: User.shape.name,
    email: User.shape.email,
    is_active: z.boolean().meta({ description: "True when the member is active." }),
    is_held: z
      .boolean()
      .meta({ description: "True when the team's owner cannot reactivate the member.", example: false }),
    is_agent_only: z.boolean().meta({
      description:
        "True for an agent, who works at one site; false for a sub-user with their own account and sites.",
    }),
    site: TeamSite.nullable().meta({ description: "Site of an agent; null for a sub-user." }),
    allowed_modules: allowedModules
      .nullable()
      .meta({ description: "Modules the member can use; null for all." }),
    two_factor: z.boolean().meta({ description: "True when the member has a second factor." }),
    last_seen_at: timestamp
      .nullable()
      .meta({ description: "When the member was last active; null if never." }),
    created_at: createdAt,
  })
  .meta({ id: "Member", description: "A member of the team." });
export type Member = z.infer<typeof Member>;

export const Invitation = z
  .object({
    id: recordId,
    name: User.shape.name,
    email: User.shape.email,
    site: TeamSite.nullable().meta({ description: "Site of an agent; null for a sub-user." }),
    allowed_modules: allowedModules
      .nullable()
      .meta({ description: "Modules the member will have; null for all." }),
    created_at: createdAt,
    expires_at: expiry,
    expired: z.boolean().meta({ description: "True when the invitation has expired.", example: false }),
  })
  .meta({ id: "Invitation", description: "An invitation to the team that is not accepted yet." });
export type Invitation = z.infer<typeof Invitation>;

export const getTeam = operation({
  id: "getTeam",
  method: "GET",
  path: "/api/team",
  tag: "Team",
  summary: "List the caller's team and pending invitations",
  description: `At most ${LIST_MAX} of each, newest first. \`data\` repeats \`members\`. Agents have no team.`,
  access: "token",
  output: listOutput("members", Member, "Members of the team, newest first.", {
    invitations: z.array(Invitation).meta({ description: "Pending invitations, newest first." }),
  }),
});

export const getTeamOwner = operation({
  id: "getTeamOwner",
  method: "GET",
  path: "/api/team/owner",
  tag: "Team",
  summary: "Get the owner of the caller's team",
  description: "Null when the caller is not a member of a team.",
  access: "token",
  output: z.object({
    success,
    owner: z
      .object({ name: User.shape.name, email: User.shape.email })
      .nullable()
      .meta({ description: "Owner of the team; null if none." }),
  }),
});

export const inviteMember = operation({
  id: "inviteMember",
  method: "POST",
  path: "/api/team/invitations",
  tag: "Team",
  summary: "Invite a team member",
  description: `With \`site_id\` the member becomes an agent of that site of the caller or of a sub-user, otherwise a sub-user. \`allowed_modules\` null means all modules of the caller. The link works once, for ${INVITATION_DAYS} days. The caller needs a verified address; sub-users can only invite agents, and agents cannot invite.`,
  access: "token",
  ability: "*",
  limit: { points: 20, per: 3600, by: "account", durable: true },
  idempotent: true,
  body: z.object({
    name: personName.meta({ description: "Name of the member." }),
    email,
    site_id: id.nullish().meta({ description: "ID of the site an agent works at; null for a sub-user." }),
    allowed_modules: modules.nullish().meta({ description: "Modules the member will have; null for all." }),
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
  summary: "Send a team invitation again",
  description: "Sends a new link; the previous one stops working.",
  access: "token",
  ability: "*",
  limit: { points: 20, per: 3600, by: "account", durable: true },
  record: "Invitation",
  params: z.object({ id: pathId }),
  output: z.object({ success, message, invitation: Invitation }),
});

export const cancelInvitation = operation({
  id: "cancelInvitation",
  method: "DELETE",
  path: "/api/team/invitations/{id}",
  tag: "Team",
  summary: "Cancel a team invitation",
  access: "token",
  ability: "*",
  record: "Invitation",
  params: z.object({ id: pathId }),
  output: Done,
});

export const updateMember = operation({
  id: "updateMember",
  method: "PUT",
  path: "/api/team/members/{id}",
  tag: "Team",
  summary: "Change a team member",
  description: `Changes the modules, an agent's site, or whether the account is active. \`allowed_modules\` null gives the member all modules of the caller. Deactivating signs the member out and cancels their invitations; 422 to activate a member that an administrator or reseller deactivated. \`site_id\` is for agents. ${EXPECTED_TEXT}`,
  access: "token",
  ability: "*",
  record: "User",
  params: z.object({ id: pathId }),
  body: z.object({
    allowed_modules: modules.nullish().meta({ description: "Modules the member can use; null for all." }),
    is_active: flag.nullish().meta({ description: "True to activate the member, false to deactivate them." }),
    site_id: id.nullish().meta({ description: "ID of the site an agent works at." }),
    expected: z
      .object({
        allowed_modules: allowedModules.nullish().meta({ description: "Modules the caller last saw." }),
        site_id: id.nullish().meta({ description: "Site the caller last saw." }),
      })
      .optional()
      .meta({ description: "Values the caller last saw; 409 if one of them has changed." }),
  }),
  output: z.object({ success, message, member: Member }),
  errors: ["stale", "member_held"],
});

const token = z.string().max(255).meta({ description: "Token from the mailed link.", example: "dsj_…" });

export const getInvitation = operation({
  id: "getInvitation",
  method: "GET",
  path: "/api/auth/invitation",
  tag: "Team",
  summary: "Get a mailed invitation",
  description: "Has no side effects and can be repeated.",
  access: "public",
  limit: { points: 30, per: 60, by: "ip" },
  query: z.object({ token }),
  output: z.object({
    success,
    invitation: z
      .object({
        name: User.shape.name,
        email: User.shape.email,
        inviter: z.string().meta({ description: "Name of the person who invites.", example: "Mert Demir" }),
        site: TeamSite.pick({ name: true, domain: true })
          .nullable()
          .meta({ description: "Site of an agent; null for others." }),
        expires_at: expiry,
        kind: z
          .enum(["agent", "sub_user", "customer"])
          .meta({ description: "Type of account the person gets.", example: "agent" }),
      })
      .meta({ description: "The invitation." }),
  }),
  errors: ["invitation_invalid"],
});

const AcceptInput = z
  .object({
    token,
    name: personName.nullish().meta({ description: "Name of the person; the invited name when omitted." }),
    phone: phone.nullish().meta({ description: "Phone number, preferably in E.164 format; null if none." }),
    password,
    password_confirmation: typedPassword.meta({ description: "Must equal `password`." }),
    consents: mapOf(Consents).nullish().meta({ description: "Consents the person gives, by key." }),
    timezone: timezone
      .nullish()
      .meta({ description: "IANA time zone, such as `Europe/Istanbul`; null if not set." }),
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
    "The invited address counts as verified. The mandatory consents are those of a registration, and the checks are those " +
    "of a login. The account starts without credits.",
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
