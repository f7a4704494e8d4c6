import type { AnyOperation } from "@/server/core/contract";

/** True in the complete run (`npm run test:all`): every operation with every input. */
export const isFullSuite = process.env.TEST_SUITE === "all";

/** Test inputs by kind. Inputs of a kind exercise the same rule, so one may represent them. */
export type Inputs<Input> = Record<string, readonly Input[]>;

interface TestCase {
  operation: AnyOperation;
}

/** Returns all cases in the complete run, else one per kind of operation. */
export function selectSamples<Case extends TestCase>(cases: readonly Case[]): Case[] {
  if (isFullSuite) return [...cases];
  return [
    ...new Map([...cases].reverse().map((testCase) => [getKind(testCase), testCase])).values(),
  ].reverse();
}

/** Adds all inputs in the complete run and for sample operations, else the first of each kind. */
export function addInputs<Case extends TestCase, Input>(
  cases: readonly Case[],
  inputs: Inputs<Input> | ((operation: AnyOperation) => Inputs<Input>),
): Array<Case & { inputs: Input[] }> {
  const samples = selectSamples(cases);
  return cases.map((testCase) => {
    const kinds = Object.values(typeof inputs === "function" ? inputs(testCase.operation) : inputs);
    return {
      ...testCase,
      inputs: kinds.flatMap((kind) => (samples.includes(testCase) ? kind : kind.slice(0, 1))),
    };
  });
}

function getKind({ operation: { access, acceptsSiteKey, body, upload, file } }: TestCase): string {
  return [access, acceptsSiteKey && "site key", body && "body", upload && "upload", file && "file"]
    .filter(Boolean)
    .join(", ");
}
