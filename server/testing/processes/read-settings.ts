import { writeFileSync } from "node:fs";
import { isProduction } from "../../core/env";

/* Prints whether the mode is production before and after writing `.env` in a directory. */
process.chdir(process.argv[2]!);
delete process.env.APP_MODE;
const wasProduction = isProduction();
writeFileSync(".env", "APP_MODE=production\n");
process.stdout.write(`${wasProduction} ${isProduction()}\n`);
