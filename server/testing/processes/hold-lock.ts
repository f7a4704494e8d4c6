import { lockDataDirectory } from "../../infrastructure/lock";

await lockDataDirectory(process.argv[2]!);
process.stdout.write("locked\n");
setInterval(() => {}, 1_000_000);
