import { followSupervisor } from "@/server/supervised";

/* Follows a supervisor without handling signals, like a program that is still starting. */

followSupervisor();
setInterval(() => {}, 1000);
process.send!("started");
