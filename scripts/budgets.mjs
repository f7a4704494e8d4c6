import { existsSync } from "node:fs";
import { join } from "node:path";
import { findOverBudget, formatSummary, formatTable, measureBuild } from "./lib/budgets.mjs";
import { fail, root } from "./lib/steps.mjs";
import { readArguments } from "./lib/usage.mjs";

/*
 * npm run budgets   prints what each page of the last build loads and its budget; exits 1 if one loads more
 */
readArguments(import.meta.url);
if (!existsSync(join(root, ".next/BUILD_ID")))
  fail("Run `npm run build` first: there is no build to measure.");
const rows = measureBuild();
const overBudgetCount = findOverBudget(rows).length;
process.stdout.write(formatTable(rows.filter(({ kind }) => kind !== "style" || overBudgetCount)));
process.stdout.write(
  overBudgetCount ? `  ${overBudgetCount} over their budgets\n` : `  ${formatSummary(rows)}\n`,
);
process.exit(overBudgetCount ? 1 : 0);
