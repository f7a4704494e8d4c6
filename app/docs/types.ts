import type { SampleCall } from "./samples";

/** The reference as the pages show it: plain data, made on the server from the contracts. */

export interface DocField {
  /** With dots and brackets: `consents.terms`, `sites[].id`. */
  path: string;
  type: string;
  required: boolean;
  /** Allowed values of a closed set. */
  values: string[];
  /** Length of a text, or size of a number. */
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
  limit: { points: number; per: number; by: "ip" | "account" };
  params: DocField[];
  query: DocField[];
  body: DocField[];
  result: { status: number; fields: DocField[]; example: string };
  /** Errors specific to this operation. */
  errors: DocError[];
  /** As a reader would first send it. */
  call: SampleCall;
  /** A site's external key may call it, too. */
  siteKey: boolean;
  /** It takes an Idempotency-Key. */
  idempotent: boolean;
}

export interface DocReference {
  baseUrl: string;
  operations: DocOperation[];
  /** Errors that every operation can return. */
  errors: DocError[];
  events: DocEvent[];
}

/** What webhooks send when something happens. */
export interface DocEvent {
  type: string;
  summary: string;
  body: string;
}
