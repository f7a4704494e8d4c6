import { lockDataDirectory } from "../../infrastructure/data-directory-lock";

/* Locks a data directory until killed. */
await lockDataDirectory(process.argv[2]!);
process.stdout.write("locked\n");
setInterval(() => {}, 1_000_000);
