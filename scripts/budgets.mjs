import { summary, table, tooHeavy, weigh } from "./lib/budgets.mjs";

/* `npm run budgets`: what each page of the last build loads, against what it may. Exits 1 if one loads more. */
const rows = weigh();
const over = tooHeavy(rows).length;
process.stdout.write(table(rows.filter(({ what }) => what !== "style" || over)));
process.stdout.write(over ? `  ${over} over their budgets\n` : `  ${summary(rows)}\n`);
process.exit(over ? 1 : 0);
