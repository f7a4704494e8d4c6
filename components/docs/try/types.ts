import type { Messages } from "next-intl";

export interface TryField {
  name: string;
  type: string;
  required: boolean;
  /** Allowed values; empty if any is accepted. */
  values: string[];
  sample: string;
}

export interface TrySpec {
  id: string;
  method: string;
  path: string;
  /** Path of its page relative to the reference. */
  chapter: string;
  access: "public" | "token";
  acceptsSiteKey: boolean;
  idempotent: boolean;
  /** The form asks before it sends: the operation deletes, costs money or cannot be undone. */
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

/** Replaces `{name}`. The server sends these texts with the form, so that scripts do not contain them. */
export function fillPlaceholders(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}
