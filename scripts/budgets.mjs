import { existsSync } from "node:fs";
import { join } from "node:path";
import { summary, table, tooHeavy, weigh } from "./lib/budgets.mjs";
import { fail, root } from "./lib/steps.mjs";
import { readArguments } from "./lib/usage.mjs";

/*
 * npm run budgets   prints what each page of the last build loads and its budget; exits 1 if one loads more
 */
readArguments(import.meta.url);
if (!existsSync(join(root, ".next/BUILD_ID")))
  fail("Run `npm run build` first: there is no build to measure.");
const rows = weigh();
const over = tooHeavy(rows).length;
process.stdout.write(table(rows.filter(({ what }) => what !== "style" || over)));
process.stdout.write(over ? `  ${over} over their budgets\n` : `  ${summary(rows)}\n`);
process.exit(over ? 1 : 0);
