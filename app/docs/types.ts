import type { SampleCall } from "./samples";

export interface DocField {
  /** Example: `consents.terms`, `sites[].id`. */
  path: string;
  type: string;
  required: boolean;
  /** English. Code is in backticks. */
  description: string | null;
  /** Allowed values; empty if any is accepted. */
  values: string[];
  /** Length of a text or range of a number; null if unlimited. A null `min` or `max` is open on that side. */
  limit: { kind: "characters" | "value"; min: number | null; max: number | null } | null;
}

export interface DocError {
  status: number;
  code: string;
  /** In the reader's language. */
  text: string;
  body: string;
}

export interface DocOperation {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string | null;
  access: "public" | "token";
  /** Role that may call it; null for every account. */
  role: "reseller" | "admin" | null;
  limit: { points: number; perSeconds: number; by: "ip" | "account" };
  params: DocField[];
  query: DocField[];
  body: DocField[];
  result: { status: number; fields: DocField[]; example: string };
  /** Errors specific to this operation. */
  errors: DocError[];
  call: SampleCall;
  acceptsSiteKey: boolean;
  idempotent: boolean;
}

export interface DocReference {
  baseUrl: string;
  operations: DocOperation[];
  errors: DocError[];
  events: DocEvent[];
}

export interface DocEvent {
  type: string;
  summary: string;
  body: string;
}
