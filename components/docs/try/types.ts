import type { Messages } from "next-intl";

/** A field of a path or a query. */
export interface TryField {
  name: string;
  type: string;
  required: boolean;
  /** Allowed values of a closed set. */
  values: string[];
  sample: string;
}

/** The form of one operation, as the server makes it from the contract. */
export interface TrySpec {
  id: string;
  method: string;
  path: string;
  /** Address of its page below the reference. */
  chapter: string;
  access: "public" | "token";
  siteKey: boolean;
  idempotent: boolean;
  /** Whether it deletes, costs or cannot be taken back. */
  asks: boolean;
  params: TryField[];
  query: TryField[];
  /** JSON to begin with; null for an operation without a body. */
  body: string | null;
  upload: { field: string; accept: string } | null;
  signedIn: boolean;
  demo: Array<{ email: string; password: string }>;
  locale: string;
  texts: Messages["docsTry"];
}

/** What a person filled in. */
export interface TryValues {
  params: Record<string, string>;
  query: Record<string, string>;
  body: string;
  idempotencyKey: string;
  file: File | null;
}

/** Puts values in the place of `{name}`. The texts come as data, so that none of them is in the scripts. */
export function say(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}
