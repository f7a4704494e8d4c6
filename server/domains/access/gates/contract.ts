import * as z from "zod";
import { operation } from "@/server/core/contract";
import { domainName, email, expiry, pathId, recordId, success } from "@/server/core/schema";
import { User } from "@/server/domains/accounts/profile/contract";

export const ExplainedGate = z
  .object({
    gate: z
      .enum(["email_verified", "account_active", "portal", "second_factor"])
      .meta({ description: "Check that a sign-in must pass.", example: "account_active" }),
    open: z.boolean().meta({ description: "True when the gate lets the sign-in pass.", example: false }),
    reason: z.string().nullable().meta({
      description: "Text shown to the person; null when the gate is open.",
      example: "This account is passive.",
    }),
    lifted_by: z.array(z.enum(["owner", "parent", "reseller", "administrator"])).meta({
      description: "Roles that can open the gate; empty when it is open.",
      example: ["parent", "reseller", "administrator"],
    }),
  })
  .meta({ id: "ExplainedGate", description: "A gate between an account and the panel." });

/** What an administrator can do about a gate; the operation of that name below `/api/admin/users/{id}`. */
const Lift = z.enum(["unlock", "password_mail", "verification", "activate", "reset_two_factor"]);

const SignInGate = ExplainedGate.extend({
  gate: z
    .enum(["attempts", "password", ...ExplainedGate.shape.gate.options, "factor_attempts"])
    .meta({ description: "Check that a sign-in must pass.", example: "account_active" }),
  until: expiry.nullable().meta({
    description: "When the gate opens by itself; null when it is open or no time limit applies.",
    example: null,
  }),
  lift: Lift.nullable().meta({
    description: "Action of the caller that opens the gate; null when nothing is needed or possible.",
    example: "activate",
  }),
}).meta({ id: "SignInGate", description: "A gate of a sign-in with a password, as administrators see it." });

const Explained = {
  gates: z.array(SignInGate).meta({ description: "Gates of a sign-in, in the order they are checked." }),
  stopped_by: SignInGate.shape.gate
    .nullable()
    .meta({ description: "First closed gate of a sign-in with the right password; null if none is closed." }),
};

const EXPLAINED_TEXT =
  "The checks are in the order of a sign-in with a password; the first closed one decides. The portal is checked for `host`, " +
  "or for the platform's own host. Changes nothing.";

export const explainGates = operation({
  id: "explainGates",
  method: "GET",
  path: "/api/admin/users/{id}/gates",
  tag: "Sign-in gates",
  summary: "Explain what blocks an account's sign-in",
  description: EXPLAINED_TEXT,
  access: "token",
  ability: "admin:*",
  record: "User",
  params: z.object({ id: pathId }),
  query: z.object({
    host: domainName
      .nullish()
      .meta({ description: "Host name of the panel to sign in at; the platform's own when omitted." }),
  }),
  status: 200,
  output: z.object({ success, user_id: recordId.meta({ description: "ID of the account." }), ...Explained }),
  errors: ["record_not_found"],
});

const recordName = { id: recordId, name: User.shape.name };
const Above = z
  .object({ ...recordName, is_active: z.boolean().meta({ description: "True when the account is active." }) })
  .nullable()
  .meta({ example: null });

export const explainAddress = operation({
  id: "explainAddress",
  method: "GET",
  path: "/api/admin/gates",
  tag: "Sign-in gates",
  summary: "Explain what blocks the sign-in of an e-mail address",
  description: `${EXPLAINED_TEXT} An address without an account is not an error: \`found\` is false and there are no gates.`,
  access: "token",
  ability: "admin:*",
  query: z.object({
    email,
    host: domainName
      .nullish()
      .meta({ description: "Host name of the panel to sign in at; the platform's own when omitted." }),
  }),
  status: 200,
  output: z.object({
    success,
    found: z.boolean().meta({ description: "True when the address has an account." }),
    user: z
      .object({
        ...recordName,
        email: User.shape.email,
        role: z
          .enum(["user", "reseller", "admin"])
          .meta({ description: "Role of the account.", example: "user" }),
        is_agent_only: z
          .boolean()
          .meta({ description: "True for an agent, who works at one site of the team.", example: false }),
        parent: Above.meta({
          description: "Parent account; null if none. A passive parent blocks its agents only.",
        }),
        reseller: Above.meta({ description: "Reseller of the account; null if none." }),
      })
      .nullable()
      .meta({ description: "The account; null if there is no account." }),
    ...Explained,
  }),
});
