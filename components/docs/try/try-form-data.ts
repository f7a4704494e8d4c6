import type { Messages } from "next-intl";

export interface TryField {
  name: string;
  type: string;
  required: boolean;
  /** Allowed values; empty if any is accepted. */
  values: string[];
  sample: string;
}

export interface TryFormData {
  id: string;
  method: string;
  path: string;
  /** Slug of the operation's page in the API reference. */
  pageSlug: string;
  access: "public" | "token";
  acceptsSiteKey: boolean;
  idempotent: boolean;
  /** The form asks before it sends: the operation may delete, cost money or affect access. */
  needsConfirmation: boolean;
  params: TryField[];
  query: TryField[];
  /** JSON that the form starts with; null for an operation without a body. */
  body: string | null;
  upload: { field: string; accept: string } | null;
  isSignedIn: boolean;
  demoAccounts: Array<{ email: string; password: string }>;
  locale: string;
  texts: Messages["docsTry"];
}

export interface TryValues {
  params: Record<string, string>;
  query: Record<string, string>;
  body: string;
  idempotencyKey: string;
  file: File | null;
}

/**
 * Replaces `{name}` in a text of the form. The server sends these texts with the form, to keep them out of
 * the JavaScript bundles.
 */
export function fillPlaceholders(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
