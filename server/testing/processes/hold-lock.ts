import { lockDataDirectory } from "../../infrastructure/lock";

/* For tests that kill: takes the lock of a directory, prints a line, and stays. */
await lockDataDirectory(process.argv[2]!);
process.stdout.write("locked\n");
setInterval(() => {}, 1_000_000);
