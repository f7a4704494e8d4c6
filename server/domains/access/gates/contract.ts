import * as z from "zod";
import { operation } from "@/server/core/contract";
import { domainName, email, expiry, pathId, recordId, success } from "@/server/core/schema";
import { User } from "@/server/domains/accounts/profile/contract";

/** A gate between an account and the panel. */
export const ExplainedGate = z
  .object({
    gate: z
      .enum(["email_verified", "account_active", "portal", "second_factor"])
      .meta({ example: "account_active" }),
    open: z.boolean().meta({ example: false }),
    /** The text that the person sees; null when the gate is open. */
    reason: z.string().meta({ example: "This account is passive." }).nullable(),
    /** Who can open it; nobody needs to when it is open. */
    lifted_by: z
      .array(z.enum(["owner", "parent", "reseller", "administrator"]))
      .meta({ example: ["parent", "reseller", "administrator"] }),
  })
  .meta({ id: "ExplainedGate" });

/** What an administrator can do about a gate; the operation of that name below `/api/admin/users/{id}`. */
const Lift = z.enum(["unlock", "password_mail", "verification", "activate", "reset_two_factor"]);

/** A gate of a sign-in with a password, as administrators see it. */
const SignInGate = ExplainedGate.extend({
  gate: z
    .enum(["attempts", "password", ...ExplainedGate.shape.gate.options, "factor_attempts"])
    .meta({ example: "account_active" }),
  /** Until when it stays closed by itself; null when it is open, or no time opens it. */
  until: expiry.nullable().meta({ example: null }),
  /** What the caller can do to open it; null when nothing is needed, or nothing can be done. */
  lift: Lift.nullable().meta({ example: "activate" }),
}).meta({ id: "SignInGate" });

const Explained = {
  gates: z.array(SignInGate),
  /** The first closed gate of a sign-in with the right password; null if none is closed. */
  stopped_by: SignInGate.shape.gate.nullable(),
};

const EXPLAINED_TEXT =
  "The checks are listed in the order in which a sign-in with a password makes them; the first closed one decides. The portal " +
  "is checked for `host`, or for the platform's own address. Nothing is changed.";

export const explainGates = operation({
  id: "explainGates",
  method: "GET",
  path: "/api/admin/users/{id}/gates",
  tag: "Sign-in gates",
  summary: "Explain what blocks an account's sign-in, and who can change that",
  description: EXPLAINED_TEXT,
  access: "token",
  ability: "admin:*",
  record: "User",
  params: z.object({ id: pathId }),
  query: z.object({ host: domainName.nullish() }),
  status: 200,
  output: z.object({ success, user_id: recordId, ...Explained }),
  errors: ["record_not_found"],
});

const recordName = { id: recordId, name: User.shape.name };
const Above = z
  .object({ ...recordName, is_active: z.boolean() })
  .nullable()
  .meta({ example: null });

export const explainAddress = operation({
  id: "explainAddress",
  method: "GET",
  path: "/api/admin/gates",
  tag: "Sign-in gates",
  summary: "Explain what blocks the sign-in of an e-mail address",
  description: `${EXPLAINED_TEXT} An address without an account is no error: \`found\` is false, and there are no gates.`,
  access: "token",
  ability: "admin:*",
  query: z.object({ email, host: domainName.nullish() }),
  status: 200,
  output: z.object({
    success,
    found: z.boolean(),
    user: z
      .object({
        ...recordName,
        email: User.shape.email,
        role: z.enum(["user", "reseller", "admin"]).meta({ example: "user" }),
        is_agent_only: z.boolean().meta({ example: false }),
        /** The accounts above. A passive parent blocks its agents only. */
        parent: Above,
        reseller: Above,
      })
      .nullable(),
    ...Explained,
  }),
});
