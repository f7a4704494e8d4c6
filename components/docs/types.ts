/** The reference as the pages show it: plain data, made on the server from the contracts. */

export interface DocField {
  /** With dots and brackets: `consents.terms`, `sites[].id`. */
  path: string;
  type: string;
  required: boolean;
  /** Given values of a closed set. */
  values: string[];
  /** Characters of a text, size of a number. */
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
  /** The ones this operation alone can answer. */
  errors: DocError[];
  curl: string;
}

/** Operations of one subject. */
export interface DocGroup {
  tag: string;
  operations: DocOperation[];
}

export interface DocReference {
  baseUrl: string;
  operations: DocOperation[];
  /** What every operation can answer. */
  errors: DocError[];
}
