import type { Messages } from "next-intl";

export interface TryField {
  name: string;
  type: string;
  required: boolean;
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
  siteKey: boolean;
  idempotent: boolean;
  /** Asks before it runs: the operation deletes, costs money or cannot be undone. */
  needsConfirmation: boolean;
  params: TryField[];
  query: TryField[];
  /** Initial JSON; null for an operation without a body. */
  body: string | null;
  upload: { field: string; accept: string } | null;
  signedIn: boolean;
  demo: Array<{ email: string; password: string }>;
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
