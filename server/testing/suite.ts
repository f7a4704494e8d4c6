import type { AnyOperation } from "@/server/core/contract";

/** Whether this is the complete run (`npm run test:all`): every operation with every input. */
export const isComplete = process.env.TEST_SUITE === "all";

/** The inputs of a test by kind: the same rule decides about all inputs of one kind. */
export type Inputs<Input> = Record<string, readonly Input[]>;

interface Case {
  operation: AnyOperation;
}

/** Returns all cases in the complete run; otherwise the first of each kind of operation. */
export function samplesOf<Of extends Case>(cases: readonly Of[]): Of[] {
  if (isComplete) return [...cases];
  return [...new Map([...cases].reverse().map((each) => [kindOf(each), each])).values()].reverse();
}

/**
 * Adds to each case the inputs to try: all of them in the complete run and for the samples; otherwise the first of
 * each kind.
 */
export function cross<Of extends Case, Input>(
  cases: readonly Of[],
  inputs: Inputs<Input> | ((operation: AnyOperation) => Inputs<Input>),
): Array<Of & { inputs: Input[] }> {
  const samples = samplesOf(cases);
  return cases.map((each) => {
    const kinds = Object.values(typeof inputs === "function" ? inputs(each.operation) : inputs);
    return { ...each, inputs: kinds.flatMap((kind) => (samples.includes(each) ? kind : kind.slice(0, 1))) };
  });
}

/** Operations of one kind take the same way through the transports. */
function kindOf({ operation: { access, siteKey, body, upload, file } }: Case): string {
  return [access, siteKey && "site key", body && "body", upload && "upload", file && "file"]
    .filter(Boolean)
    .join(", ");
}
