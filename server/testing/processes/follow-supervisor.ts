import { followSupervisor } from "@/server/supervised";

followSupervisor();
setInterval(() => {}, 1000);
process.send!("started");
