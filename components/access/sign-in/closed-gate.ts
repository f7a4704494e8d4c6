import type { FormError } from "@/components/api/form-error";
import type { Contact } from "@/server/domains/access/sign-in/contract";

export type ClosedGate =
  | { kind: "disabled"; contact: Contact }
  | { kind: "unverified"; email: string; text: string }
  | { kind: "portal"; url: string };

interface RefusalBody {
  account_disabled?: boolean;
  contact?: Contact;
  requires_verification?: boolean;
  email?: string;
  portal_locked?: boolean;
  portal_url?: string;
}

export function toClosedGate(error: Pick<FormError, "body" | "message">): ClosedGate | undefined {
  const body = (error.body ?? {}) as RefusalBody;
  if (body.account_disabled && body.contact) return { kind: "disabled", contact: body.contact };
  if (body.requires_verification && body.email)
    return { kind: "unverified", email: body.email, text: error.message };
  if (body.portal_locked && body.portal_url) return { kind: "portal", url: body.portal_url };
  return undefined;
}
