import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { supervise } from "@/server/supervisor";

/* Supervises a program that records each start and then runs the code of the second argument. */

const [, , folder = "", behaviour = ""] = process.argv;
const program = join(folder, "program.mjs");
writeFileSync(
  program,
  `import { appendFileSync, readFileSync } from "node:fs";
appendFileSync(${JSON.stringify(join(folder, "starts"))}, "x");
const starts = readFileSync(${JSON.stringify(join(folder, "starts"))}, "utf8").length;
process.on("message", (signal) => process.exit(signal === "SIGTERM" ? 7 : 8));
process.on("disconnect", () => process.exit(1));
setInterval(() => {}, 1000);
${behaviour}`,
);
process.stdout.write("supervising\n");
supervise(program, { name: "program", delaysMs: [0, 20, 40] });
