import { writeFileSync } from "node:fs";
import { isProduction } from "../../core/env";

process.chdir(process.argv[2]!);
delete process.env.APP_MODE;
const before = isProduction();
writeFileSync(".env", "APP_MODE=production\n");
process.stdout.write(`${before} ${isProduction()}\n`);
