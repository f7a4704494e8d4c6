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
  mapOf,
  password,
  personName,
  phone,
  recordId,
  samePasswords,
  timestamp,
  timezone,
  typedPassword,
} from "@/server/core/schema";
import { EXPECTED_TEXT, expectedValues } from "@/server/core/stale";
import { GATE_ERRORS, SecondFactorDue, SignedIn } from "@/server/domains/access/sign-in/contract";
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

export const Member = f.named("Member", "A member of the team.", {
  id: recordId,
  name: User.shape.name,
  email: User.shape.email,
  is_active: f.boolean("True when the member is active."),
  is_held: f.boolean("True when the team's owner cannot reactivate the member.", false),
  is_agent_only: f.boolean(
    "True for an agent, who works at one site; false for a sub-user with their own account and sites.",
  ),
  site: f.nullable(TeamSite, "Site of an agent; null for a sub-user."),
  allowed_modules: f.nullable(allowedModules, "Modules the member can use; null for all."),
  two_factor: f.boolean("True when the member has a second factor."),
  last_seen_at: f.nullable(timestamp, "When the member was last active; null if never."),
  created_at: createdAt,
});
export type Member = z.infer<typeof Member>;

export const Invitation = f.named("Invitation", "An invitation to the team that is not accepted yet.", {
  id: recordId,
  name: User.shape.name,
  email: User.shape.email,
  site: f.nullable(TeamSite, "Site of an agent; null for a sub-user."),
  allowed_modules: f.nullable(allowedModules, "Modules the member will have; null for all."),
  created_at: createdAt,
  expires_at: expiry,
  expired: f.boolean("True when the invitation has expired.", false),
});
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
    invitations: f.list(Invitation, "Pending invitations, newest first."),
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
  output: f.success({
    owner: f.nullable(
      z.object({ name: User.shape.name, email: User.shape.email }),
      "Owner of the team; null if none.",
    ),
  }),
});

const CHANGE = { tag: "Team", access: "token", ability: "*" } as const;

export const inviteMember = operation({
  id: "inviteMember",
  method: "POST",
  path: "/api/team/invitations",
  ...CHANGE,
  summary: "Invite a team member",
  description: `With \`site_id\` the member becomes an agent of that site of the caller or of a sub-user, otherwise a sub-user. \`allowed_modules\` null means all modules of the caller. The link works once, for ${INVITATION_DAYS} days. The caller needs a verified address; sub-users can only invite agents, and agents cannot invite.`,
  limit: { points: 20, per: 3600, by: "account", durable: true },
  idempotent: true,
  body: z.object({
    name: personName.meta({ description: "Name of the member." }),
    email,
    site_id: f.nullish(id, "ID of the site an agent works at; null for a sub-user."),
    allowed_modules: f.nullish(modules, "Modules the member will have; null for all."),
  }),
  status: 201,
  output: f.changed({ invitation: Invitation }),
  errors: ["email_needs_verification", "sign_up_refused"],
});

export const resendInvitation = operation({
  id: "resendInvitation",
  method: "POST",
  path: "/api/team/invitations/{id}/resend",
  ...CHANGE,
  summary: "Send a team invitation again",
  description: "Sends a new link; the previous one stops working.",
  limit: { points: 20, per: 3600, by: "account", durable: true },
  ...byId("Invitation"),
  output: f.changed({ invitation: Invitation }),
});

export const cancelInvitation = operation({
  id: "cancelInvitation",
  method: "DELETE",
  path: "/api/team/invitations/{id}",
  ...CHANGE,
  summary: "Cancel a team invitation",
  ...byId("Invitation"),
  output: Done,
});

export const updateMember = operation({
  id: "updateMember",
  method: "PUT",
  path: "/api/team/members/{id}",
  ...CHANGE,
  summary: "Change a team member",
  description: `Changes the modules, an agent's site, or whether the account is active. \`allowed_modules\` null gives the member all modules of the caller. Deactivating signs the member out and cancels their invitations; 422 to activate a member that an administrator or reseller deactivated. \`site_id\` is for agents. ${EXPECTED_TEXT}`,
  ...byId("User"),
  body: z.object({
    allowed_modules: f.nullish(modules, "Modules the member can use; null for all."),
    is_active: f.nullish(flag, "True to activate the member, false to deactivate them."),
    site_id: f.nullish(id, "ID of the site an agent works at."),
    expected: expectedValues({
      allowed_modules: f.nullish(allowedModules, "Modules the caller last saw."),
      site_id: f.nullish(id, "Site the caller last saw."),
    }),
  }),
  output: f.changed({ member: Member }),
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
  output: f.success({
    invitation: z
      .object({
        name: User.shape.name,
        email: User.shape.email,
        inviter: f.text("Name of the person who invites.", "Mert Demir"),
        site: f.nullable(TeamSite.pick({ name: true, domain: true }), "Site of an agent; null for others."),
        expires_at: expiry,
        kind: f.oneOf(["agent", "sub_user", "customer"], "Type of account the person gets.", "agent"),
      })
      .meta({ description: "The invitation." }),
  }),
  errors: ["invitation_invalid"],
});

const AcceptInput = z
  .object({
    token,
    name: f.nullish(personName, "Name of the person; the invited name when omitted."),
    phone: f.nullish(phone, "Phone number, preferably in E.164 format; null if none."),
    password,
    password_confirmation: typedPassword.meta({ description: "Must equal `password`." }),
    consents: f.nullish(mapOf(Consents), "Consents the person gives, by key."),
    timezone: f.nullish(timezone, "IANA time zone, such as `Europe/Istanbul`; null if not set."),
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
  errors: ["invitation_invalid", "invitation_address_taken", "consents_missing", ...GATE_ERRORS],
});
