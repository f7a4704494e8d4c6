import type { AnyOperation } from "@/server/core/contract";

/** True in the complete run (`npm run test:all`): every operation with every input. */
export const isFullSuite = process.env.TEST_SUITE === "all";

/** Test inputs by kind; one rule applies to all inputs of a kind. */
export type Inputs<Input> = Record<string, readonly Input[]>;

interface Case {
  operation: AnyOperation;
}

/** Returns all cases in the complete run, else the first per kind of operation. */
export function samplesOf<Of extends Case>(cases: readonly Of[]): Of[] {
  if (isFullSuite) return [...cases];
  return [...new Map([...cases].reverse().map((each) => [kindOf(each), each])).values()].reverse();
}

/** Adds all inputs in the complete run and for sample operations, else the first of each kind. */
export function withInputs<Of extends Case, Input>(
  cases: readonly Of[],
  inputs: Inputs<Input> | ((operation: AnyOperation) => Inputs<Input>),
): Array<Of & { inputs: Input[] }> {
  const samples = samplesOf(cases);
  return cases.map((each) => {
    const kinds = Object.values(typeof inputs === "function" ? inputs(each.operation) : inputs);
    return { ...each, inputs: kinds.flatMap((kind) => (samples.includes(each) ? kind : kind.slice(0, 1))) };
  });
}

function kindOf({ operation: { access, siteKey, body, upload, file } }: Case): string {
  return [access, siteKey && "site key", body && "body", upload && "upload", file && "file"]
    .filter(Boolean)
    .join(", ");
}
