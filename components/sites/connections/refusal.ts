import type { FormError } from "@/components/api/form-error";
import type { ConnectableChannel } from "@/server/domains/sites/connections/policy";
import { CREDENTIAL_FIELDS_BY_CHANNEL } from "@/server/domains/sites/connections/policy";

type CredentialKind = "secret" | "remote" | "config";

/** Credential to correct, by reason. Other reasons concern none of the fields. */
const KIND_BY_REASON: Partial<Record<string, CredentialKind>> = {
  token_refused: "secret",
  other_account: "secret",
  forbidden: "secret",
  not_found: "remote",
  insecure: "config",
  not_public: "config",
};

/** Returns the reason of a response `connection_refused` or `test_message_refused`. */
export const getRefusalReason = ({ body }: FormError): string | undefined =>
  (body as { reason?: string } | undefined)?.reason;

export const isNotFound = (error: FormError) => getRefusalReason(error) === "not_found";

/** Returns the form field that a refusal concerns. */
export function findRefusedField(channel: ConnectableChannel, error: FormError): string | undefined {
  const kind = KIND_BY_REASON[getRefusalReason(error) ?? ""];
  const fields: Partial<Record<CredentialKind, string>> = CREDENTIAL_FIELDS_BY_CHANNEL[channel];
  // A mailbox that is not found means an unknown server.
  return kind && fields[channel === "email" && kind === "remote" ? "config" : kind];
}
